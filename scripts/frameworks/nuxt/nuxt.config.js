import { defineNuxtConfig } from 'nuxt/config'

export default defineNuxtConfig({
  modules: [['sixpane/nuxt/config', { service: 'shop' }]],
  telemetry: false,
})
