import * as Sentry from '@sentry/react-router'

Sentry.init({ dsn: `${process.env.SIXPANE_URL.replace('://', '://sixpane@')}/shop/1`, tracesSampleRate: 1 })
