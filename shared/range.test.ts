import t from 'tap'
import { isSpan, resolveRange, spanLengthMs, spanning, spanWords } from './range.ts'

t.test('a relative range is a number of minutes, hours or days', async t => {
  for (const [span, words, lengthMs] of [
    ['90m', 'last 90 minutes', 5_400_000],
    ['1h', 'last hour', 3_600_000],
    ['366d', 'last 366 days', 366 * 86_400_000],
  ] as const) {
    t.ok(isSpan(span))
    t.equal(spanWords(span), words)
    t.equal(spanLengthMs(span), lengthMs)
  }
  for (const other of ['0m', '367d', '1.5h', '1y', 'm', '-1h', '01h', null, 5])
    t.notOk(isSpan(other), String(other))
})

t.test('a relative range ends at the current time', async t => {
  t.same(resolveRange({ span: '15m' }, 1_000_000_000), {
    fromMs: 1_000_000_000 - 900_000,
    toMs: 1_000_000_000,
  })
})

t.test('a window that spans two times contains both', async t => {
  t.same(spanning(10.25, 20.75), { fromMs: 10, toMs: 21 })
  t.same(spanning(10, 10), { fromMs: 10, toMs: 11 })
})
