import * as Sentry from '@sentry/nuxt'

Sentry.init({ dsn: `${process.env.SIXPANE_URL.replace('://', '://sixpane@')}/shop/1`, tracesSampleRate: 1 })
