import t from 'tap'
import { envelopeOf, eventItem, shopOrigin, startSentry } from './testing.ts'

const item = eventItem({ event_id: 'a'.repeat(32), message: 'hello' })

t.test('limits requests from visitors per minute, and requests from services per second', async t => {
  const { post } = await startSentry(t, { ingestRequestsPerSecond: 5 })
  const statuses = []
  for (let request = 0; request < 6; request += 1) statuses.push((await post(envelopeOf([item]))).status)
  t.same(statuses, [200, 200, 200, 200, 200, 429])
  const visitors = await startSentry(t)
  const remaining = []
  for (let request = 0; request < 3; request += 1) {
    const { headers } = await visitors.post(envelopeOf([item]), { headers: { origin: shopOrigin } })
    remaining.push(Number(headers['x-ratelimit-remaining']))
  }
  t.same(remaining, [299, 298, 297])
})

t.test('truncates hostile text before searching it', async t => {
  const { post } = await startSentry(t)
  const length = 200_000
  const thrown = (platform: string, frame: object) => ({
    platform,
    exception: {
      values: [
        { type: 'Error', value: 'x', stacktrace: { frames: [{ context_line: 'a', lineno: 1, ...frame }] } },
      ],
    },
  })
  const question = `${'?'.repeat(length)}\n\u2028`
  const items = [
    [{ type: 'transaction' }, { contexts: { trace: { op: 'http.server' } }, request: { url: question } }],
    [{ type: 'event' }, thrown('csharp', { function: `${'('.repeat(length)}\u2028`, filename: 'a.cs' })],
    [{ type: 'event' }, thrown('node', { function: 'f', filename: question })],
    [{ type: 'event' }, thrown('node', { function: 'f', filename: 'vendor/a/'.repeat(length / 9) })],
  ] as const
  // A quadratic search would exceed the test's timeout.
  for (const hostile of items) t.equal((await post(envelopeOf([hostile]))).status, 200)
})
