import { defineNuxtConfig } from 'nuxt/config'

export default defineNuxtConfig({
  modules: ['@sentry/nuxt/module'],
  sentry: { telemetry: false },
  sourcemap: { client: 'hidden' },
  telemetry: false,
})
