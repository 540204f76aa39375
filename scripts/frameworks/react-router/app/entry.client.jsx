import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { onRecoverableError, report, watch } from 'sixpane/browser'

watch({ url: import.meta.env.VITE_SIXPANE_URL, service: 'shop', release: process.env.SIXPANE_RELEASE })

// Errors without a stack come from the server, which has already reported them.
const onError = error => {
  if (error?.stack) report(error)
}
startTransition(() => {
  hydrateRoot(document, <HydratedRouter onError={onError} />, { onRecoverableError })
})
