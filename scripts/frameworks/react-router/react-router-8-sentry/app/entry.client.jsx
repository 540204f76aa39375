import * as Sentry from '@sentry/react-router'
import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

Sentry.init({
  dsn: `${import.meta.env.VITE_SIXPANE_URL.replace('://', '://sixpane@')}/shop/1`,
  integrations: [Sentry.reactRouterTracingIntegration()],
  tracesSampleRate: 1,
})

startTransition(() => {
  hydrateRoot(document, <HydratedRouter onError={Sentry.sentryOnError} />)
})
