// Replaces the plugin in the shared sources, because Sentry's Nuxt module reports failures.
export default defineNuxtPlugin(() => {})
