import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import sixpane from 'sixpane/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    sveltekit({ adapter: adapter(), paths: { origin: `http://127.0.0.1:${process.env.PORT}` } }),
    sixpane({ service: 'shop' }),
  ],
})
