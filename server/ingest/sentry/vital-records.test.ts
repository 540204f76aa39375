import t from 'tap'
import { normalise, sender } from './testing.ts'
import { singleSpanVitals, spanVitals, transactionVitals } from './vital-records.ts'

const nowMs = Date.parse('2026-11-23T08:02:00Z')
const timestamp = nowMs / 1000 - 5
const value = (value: string | number) => ({ value, type: typeof value })

t.test('a page load becomes one event per vital', async t => {
  const transaction = {
    timestamp,
    transaction: '/cart/:id',
    release: 'web@3.0.0',
    measurements: { lcp: { value: 3000 }, cls: { value: 0.01 }, fp: { value: 7 }, inp: { value: -1 } },
  }
  const events = transactionVitals(transaction, sender).map(record => normalise(record, 'sentry', nowMs))
  t.match(
    events.toSorted((one, other) => one.body.localeCompare(other.body)),
    [
      { route: '/cart/:id', service: 'web', release: '3.0.0', timeMs: nowMs - 5000, body: /CLS/ },
      { route: '/cart/:id', service: 'web', body: /LCP/ },
    ],
  )
  t.equal(events.length, 2)
})

t.test('reads vitals from single and streamed spans', async t => {
  const single = {
    timestamp,
    data: { transaction: '/cart', release: 'web@3.0.0' },
    measurements: { inp: { value: 16 } },
  }
  t.match(singleSpanVitals(single, sender), [
    { route: '/cart', 'service.name': 'web', 'service.version': '3.0.0' },
  ])
  const attributes = {
    'browser.web_vital.lcp.value': value(40),
    'sentry.segment.name': value('/cart/:id'),
    'sentry.release': value('web@3.0.0'),
    'url.path': value('/cart/7'),
  }
  const named = { end_timestamp: timestamp, attributes }
  const unnamed = { attributes: { ...attributes, 'sentry.segment.name': value('Pageload') } }
  t.match(spanVitals(named, sender), [{ route: '/cart/:id', time: nowMs - 5000, 'service.name': 'web' }])
  t.match(spanVitals(unnamed, sender), [{ route: '/cart/7' }])
})

t.test('the service of a span is in its attributes or its release', async t => {
  const measurements = { inp: { value: 16 } }
  const release = 'web@3.0.0'
  for (const name of ['service', 'service.name']) {
    t.match(singleSpanVitals({ measurements, data: { release, [name]: 'shop' } }, sender), [
      { 'service.name': 'shop', 'service.version': '3.0.0' },
    ])
    const attributes = {
      'browser.web_vital.lcp.value': value(40),
      'sentry.release': value(release),
      [name]: value('shop'),
    }
    t.match(spanVitals({ attributes }, sender), [{ 'service.name': 'shop', 'service.version': '3.0.0' }])
  }
})

t.test('ignores spans without vitals, and values of the wrong type', async t => {
  for (const measurements of [null, 7, [], {}, { lcp: 7 }, { lcp: { value: '7' } }, { lcp: null }]) {
    t.same(transactionVitals({ measurements }, sender), [], JSON.stringify(measurements))
  }
  for (const attributes of [null, 7, {}, { 'browser.web_vital.lcp.value': 7 }]) {
    t.same(spanVitals({ attributes }, sender), [], JSON.stringify(attributes))
  }
})
