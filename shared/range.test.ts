import t from 'tap'
import { parseRange, resolveRange, spanning } from './range.ts'

const read = (query: string) => parseRange(new URLSearchParams(query), '1h')

t.test('parses relative and absolute ranges', async t => {
  t.same(read('range=24h'), { span: '24h' })
  const absolute = { fromMs: 1_767_225_600_000, toMs: 1_767_229_200_000 }
  t.same(read('from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z'), absolute)
  t.same(read('from=1767225600000&to=1767229200000'), absolute)
})

t.test('falls back to the default for invalid ranges', async t => {
  for (const query of [
    '',
    'range=1y',
    'from=yesterday&to=now',
    'from=2026-01-02&to=2026-01-01',
    'from=2026-01-01',
  ]) {
    t.same(read(query), { span: '1h' }, query)
  }
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
