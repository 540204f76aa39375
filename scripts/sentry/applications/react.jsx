// A React application with Sentry's SDK. After a click on the button, a component fails in the SDK's error boundary.
import * as Sentry from '@sentry/react'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { digestIntegration } from 'sixpane/sentry'

const parameters = new URLSearchParams(location.search)
Sentry.init({
  dsn: parameters.get('dsn') ?? '',
  release: parameters.get('release') ?? '',
  integrations: [Sentry.browserTracingIntegration(), digestIntegration()],
  tracesSampleRate: 1,
  enableLogs: true,
})
Sentry.setUser({ id: 'u1' })
Sentry.setTag('plan', 'pro')

function Cart() {
  const [isPaying, setPaying] = useState(false)
  const pay = () => {
    Sentry.addBreadcrumb({ category: 'cart', message: 'loaded cart' })
    Sentry.logger.warn('low stock', { sku: 'A1' })
    setPaying(true)
  }
  if (isPaying) return <Receipt />
  return (
    <button type="button" onClick={pay}>
      Pay
    </button>
  )
}

function Receipt() {
  throw Object.assign(new TypeError('card declined'), { digest: parameters.get('digest') })
}

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <Sentry.ErrorBoundary fallback={<p>Our shop is closed</p>}>
    <Cart />
  </Sentry.ErrorBoundary>,
)
