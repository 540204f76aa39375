import t from 'tap'
import { contextOfRequest, traceparentOf } from './traceparent.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'

t.test('a valid header continues its trace with a new span', async t => {
  const context = contextOfRequest({ traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'a=1' })
  t.match(context, { traceId, isSampled: true, tracestate: 'a=1' })
  t.match(context.spanId, /^(?!b7ad6b7169203331)[\da-f]{16}$/)
  t.equal(traceparentOf(context), `00-${traceId}-${context.spanId}-01`)
})

t.test('a future version may have more parts and flags', async t => {
  t.match(contextOfRequest({ traceparent: `cc-${traceId}-${parentId}-08-more` }), {
    traceId,
    isSampled: false,
  })
})

t.test('an invalid header starts a new trace and drops the state', async t => {
  const invalid = [
    '',
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01-more`,
    `cc-${traceId}-${parentId}-01more`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId.slice(1)}-${parentId}-01`,
    ` 00-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
  ]
  for (const traceparent of invalid) {
    const context = contextOfRequest({ traceparent, tracestate: 'a=1' })
    t.match(context, { isSampled: true, tracestate: null }, traceparent)
    t.match(context.traceId, /^[\da-f]{32}$/)
    t.not(context.traceId, traceId)
  }
  t.not(contextOfRequest({}).traceId, contextOfRequest({}).traceId)
})

t.test('a state that is too long, or that an HTTP client would reject, is dropped', async t => {
  const traceparent = `00-${traceId}-${parentId}-01`
  for (const tracestate of ['a=\u00ff', 'a=1\r\nb: 2', 'a'.repeat(513), ''])
    t.equal(contextOfRequest({ traceparent, tracestate }).tracestate, null)
})
