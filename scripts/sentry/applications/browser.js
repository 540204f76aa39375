// A page with Sentry's SDK for browsers. The button causes a failure.
import * as Sentry from '@sentry/browser'
import { digestIntegration } from 'sixpane/sentry'

const parameters = new URLSearchParams(location.search)
Sentry.init({
  dsn: parameters.get('dsn') ?? '',
  release: parameters.get('release') ?? '',
  integrations: [Sentry.browserTracingIntegration(), Sentry.replayIntegration(), digestIntegration()],
  tracesSampleRate: 1,
  replaysSessionSampleRate: 1,
  enableLogs: true,
  _experiments: { enableLogs: true },
})
Sentry.setUser({ id: 'u1' })
Sentry.setTag('plan', 'pro')

const button = document.createElement('button')
button.textContent = 'Pay'
button.addEventListener('click', () => {
  Sentry.addBreadcrumb({ category: 'cart', message: 'loaded cart' })
  // Version 8 has no logs.
  Sentry.logger?.warn('low stock', { sku: 'A1' })
  pay()
})
document.body.append(button)

function pay() {
  throw Object.assign(new TypeError('card declined'), { digest: parameters.get('digest') })
}
