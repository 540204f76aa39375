import node from '@astrojs/node'
import { defineConfig } from 'astro/config'
import sixpane from 'sixpane/vite'

export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  vite: { plugins: [sixpane({ service: 'shop' })] },
})
