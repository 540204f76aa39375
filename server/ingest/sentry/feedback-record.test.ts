import t from 'tap'
import { feedbackRecord } from './feedback-record.ts'
import { normalise, sender } from './testing.ts'

const nowMs = Date.parse('2026-11-23T08:02:00Z')
const read = (item: Parameters<typeof feedbackRecord>[0]) =>
  normalise(feedbackRecord(item, sender), 'sentry', nowMs)

t.test("feedback becomes a log line with the visitor's message", async t => {
  const event = read({
    timestamp: nowMs / 1000 - 5,
    release: 'web@3.0.0',
    environment: 'prod',
    contexts: {
      trace: { trace_id: '6ff86aafda6041f0bfbbc52eb12bc275' },
      feedback: {
        message: 'I cannot pay',
        contact_email: 'ada@shop.example',
        name: 'Ada',
        url: 'https://shop.example/cart',
        associated_event_id: 'eb5ec0d1bec34e3bb5acbbfe1a2f0a62',
      },
    },
  })
  t.match(event, {
    timeMs: nowMs - 5000,
    severity: 'info',
    service: 'web',
    release: '3.0.0',
    body: 'Feedback: I cannot pay',
    traceId: '6ff86aafda6041f0bfbbc52eb12bc275',
    attributes: {
      'feedback.email': 'ada@shop.example',
      'feedback.name': 'Ada',
      'feedback.event_id': 'eb5ec0d1bec34e3bb5acbbfe1a2f0a62',
      'url.full': 'https://shop.example/cart',
    },
  })
})

t.test('the service of feedback is in its tags or its release', async t => {
  const release = 'web@3.0.0'
  t.match(read({ release, tags: { service: 'shop' } }), { service: 'shop' })
  t.match(read({ release, tags: [['service.name', 'shop']] }), { service: 'shop' })
  t.match(read({ release, tags: { plan: 'pro' } }), { service: 'web' })
})

t.test('accepts the older user report', async t => {
  const report = { event_id: 'e1', name: 'Ada', email: 'ada@shop.example', comments: 'It broke' }
  t.match(read(report), {
    timeMs: nowMs,
    body: 'Feedback: It broke',
    attributes: { 'feedback.event_id': 'e1', 'feedback.name': 'Ada', 'feedback.email': 'ada@shop.example' },
  })
  t.match(read({}), { body: 'Feedback: (no message)' })
})
