import * as Sentry from '@sentry/nuxt'

Sentry.init({
  dsn: `${import.meta.env.VITE_SIXPANE_URL.replace('://', '://sixpane@')}/shop/1`,
  tracesSampleRate: 1,
})
