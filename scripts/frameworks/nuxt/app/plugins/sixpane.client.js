import { report, watch } from 'sixpane/browser'

export default defineNuxtPlugin(nuxtApp => {
  watch({ url: import.meta.env.VITE_SIXPANE_URL, service: 'shop', release: process.env.SIXPANE_RELEASE })
  nuxtApp.hook('vue:error', error => report(error))
})
