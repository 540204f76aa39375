import t from 'tap'
import type { Attributes, LogEvent } from '../../../shared/event.ts'
import { anEvent } from '../../store/conformance/testing.ts'
import { occurrenceContext } from './occurrence-context.ts'

function contextOf(attributes: Attributes) {
  const event: LogEvent = { ...anEvent({ attributes }), id: 1 }
  return occurrenceContext(event)
}

t.test('reads the URL, the user, tags and breadcrumbs', async t => {
  const context = contextOf({
    'url.full': 'https://shop.example/cart?x=1',
    'user.id': 'u1',
    'user.email': 'ada@shop.example',
    'user_agent.original': 'Firefox',
    tags: { plan: 'pro', retries: 2, nested: {}, missing: null },
    breadcrumbs: [
      { time: '2026-11-21T14:03:22.123Z', level: 'info', category: 'cart', message: 'loaded' },
      { category: 'fetch', data: { method: 'GET', url: '/api/cart', status_code: 500 } },
      { category: 'navigation', data: { from: '/cart', to: '/pay' } },
      { time: 'soon', data: { sku: 'A1', left: 2 } },
      'text',
      { message: 7 },
    ],
  })
  t.same(context, {
    url: 'https://shop.example/cart?x=1',
    user: 'ada@shop.example',
    userAgent: 'Firefox',
    tags: [
      { name: 'plan', value: 'pro' },
      { name: 'retries', value: '2' },
    ],
    breadcrumbs: [
      { timeMs: Date.UTC(2026, 10, 21, 14, 3, 22, 123), level: 'info', category: 'cart', message: 'loaded' },
      { timeMs: null, level: null, category: 'fetch', message: 'GET /api/cart 500' },
      { timeMs: null, level: null, category: 'navigation', message: 'from /cart to /pay' },
      { timeMs: null, level: null, category: null, message: 'sku: A1, left: 2' },
    ],
  })
})

t.test('an event without a URL, user, tags or breadcrumbs has no context', async t => {
  for (const attributes of [{}, { sku: 'A1', tags: [], breadcrumbs: {} }, { tags: {}, breadcrumbs: [] }])
    t.equal(contextOf(attributes), null)
})
