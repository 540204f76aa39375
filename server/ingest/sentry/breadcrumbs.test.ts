import t from 'tap'
import { breadcrumbsOf } from './breadcrumbs.ts'
import { sender } from './testing.ts'

t.test('returns the fields of breadcrumbs, from a list or from `values`', async t => {
  const breadcrumbs = [
    {
      timestamp: 1795419609.52,
      type: 'default',
      category: 'cart',
      level: 'info',
      message: 'loaded cart',
      data: { id: '7' },
    },
    { timestamp: '2026-11-23T07:40:10Z', type: 'http', data: { url: '/api/pay', status_code: 500 } },
    { category: 'console', message: 'a 1', data: { logger: 'console', arguments: ['a', 1] } },
  ]
  const expected = [
    {
      time: '2026-11-23T07:40:09.520Z',
      level: 'info',
      category: 'cart',
      message: 'loaded cart',
      data: { id: '7' },
    },
    { time: '2026-11-23T07:40:10.000Z', category: 'http', data: { url: '/api/pay', status_code: 500 } },
    { category: 'console', message: 'a 1', data: { logger: 'console' } },
  ]
  t.same(breadcrumbsOf(breadcrumbs, sender), expected)
  t.same(breadcrumbsOf({ values: breadcrumbs }, sender), expected)
})

t.test("adds the sender's clock offset to the times", async t => {
  const breadcrumbs = breadcrumbsOf([{ timestamp: 1795419609 }], { ...sender, clockOffsetMs: 3_600_000 })
  t.same(breadcrumbs, [{ time: '2026-11-23T08:40:09.000Z' }])
})

t.test('drops the oldest breadcrumbs if there are too many, and truncates long messages', async t => {
  const many = Array.from({ length: 150 }, (_, index) => ({ message: `${index} ${'x'.repeat(1000)}` }))
  const kept = breadcrumbsOf(many, sender)
  t.equal(kept.length, 100)
  t.match(kept[0]?.message, /^50 x/)
  t.equal(String(kept[0]?.message).length, 500)
})

t.test('omits breadcrumbs without content, and invalid times', async t => {
  t.same(breadcrumbsOf([null, 1, 'x', [], {}, { message: '' }, { message: 7, data: [] }], sender), [])
  for (const timestamp of [1e300, -1e300, 1_795_419_609_000_000, 'soon', null, {}, true]) {
    t.same(breadcrumbsOf([{ timestamp, message: 'a' }], sender), [{ message: 'a' }], String(timestamp))
  }
  for (const given of [undefined, null, 'x', 7, {}, { values: 'x' }]) t.same(breadcrumbsOf(given, sender), [])
})
