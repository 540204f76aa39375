import * as Sentry from '@sentry/sveltekit'

Sentry.init({ dsn: `${process.env.SIXPANE_URL.replace('://', '://sixpane@')}/shop/1`, tracesSampleRate: 1 })
