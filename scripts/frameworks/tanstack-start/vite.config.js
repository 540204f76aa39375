import { tanstackStart } from '@tanstack/react-start/plugin/vite'
import react from '@vitejs/plugin-react'
import sixpane from 'sixpane/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [tanstackStart(), react(), sixpane({ service: 'shop' })] })
