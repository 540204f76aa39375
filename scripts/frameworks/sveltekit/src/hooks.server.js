import { reportTo } from 'sixpane/sveltekit'

export const handleError = reportTo({ service: 'shop' })

export function handle({ event, resolve }) {
  if (event.url.pathname === '/hook') throw new Error('failed in hook')
  return resolve(event)
}
