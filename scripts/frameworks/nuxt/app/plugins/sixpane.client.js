import { report, watch } from 'sixpane/browser'

export default defineNuxtPlugin(nuxtApp => {
  watch({ url: import.meta.env.VITE_SIXPANE_URL, service: 'shop', release: process.env.SIXPANE_RELEASE })
  const send = error => {
    if (!(error?.statusCode < 500)) report(error)
  }
  nuxtApp.hook('vue:error', send)
  nuxtApp.hook('app:error', send)
})
