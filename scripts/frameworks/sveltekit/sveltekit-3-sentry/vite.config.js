import { sentrySvelteKit } from '@sentry/sveltekit'
import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [
    sentrySvelteKit({ telemetry: false }),
    sveltekit({ adapter: adapter(), paths: { origin: `http://127.0.0.1:${process.env.PORT}` } }),
  ],
})
