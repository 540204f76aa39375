import { reactRouter } from '@react-router/dev/vite'
import sixpane from 'sixpane/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [reactRouter(), sixpane({ service: 'shop' })] })
