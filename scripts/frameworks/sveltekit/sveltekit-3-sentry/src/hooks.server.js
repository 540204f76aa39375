import * as Sentry from '@sentry/sveltekit'
import { sequence } from '@sveltejs/kit/hooks'

export const handleError = Sentry.handleErrorWithSentry(() => ({
  message: 'Our shop is closed',
  digest: Sentry.lastEventId(),
}))

export const handle = sequence(Sentry.sentryHandle(), ({ event, resolve }) => {
  if (event.url.pathname === '/hook') throw new Error('failed in hook')
  return resolve(event)
})
