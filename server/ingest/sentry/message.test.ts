import t from 'tap'
import { messageOf } from './message.ts'

t.test('inserts parameters into the message, unless the SDK already has', async t => {
  const cases: [Parameters<typeof messageOf>[0], string | null][] = [
    [{}, null],
    [{ message: 'hello' }, 'hello'],
    [{ message: '' }, null],
    [{ message: 7 }, null],
    [{ message: '100 % of %s' }, '100 % of %s'],
    [{ logentry: { message: 'payment failed for %s', params: ['order 7'] } }, 'payment failed for order 7'],
    [{ logentry: { message: 'took %d ms', params: [12] } }, 'took 12 ms'],
    [{ logentry: { message: 'took %d ms' } }, 'took %d ms'],
    [{ logentry: { message: '100 %% of %s', params: ['a', 'b'] } }, '100 % of a'],
    [{ logentry: { message: 'for %(name)s', params: { name: 'ada' } } }, 'for %(name)s'],
    [{ logentry: { message: 'a %s', formatted: 'a b', params: ['c'] } }, 'a b'],
    [{ logentry: { formatted: '', message: 'template' } }, 'template'],
    [{ message: { message: 'a %s', params: ['b'] } }, 'a b'],
    [{ message: { formatted: 'a b' } }, 'a b'],
    [{ message: 'outer', logentry: { message: 'inner' } }, 'inner'],
    [{ message: 'outer', logentry: {} }, 'outer'],
  ]
  for (const [event, message] of cases) t.equal(messageOf(event), message, JSON.stringify(event))
})

t.test('accepts parameters of any type', async t => {
  const message = '%s'
  const hostile = [{ toString: 1, valueOf: 1 }]
  t.equal(messageOf({ logentry: { message, params: hostile } }), '{"toString":1,"valueOf":1}')
  t.equal(messageOf({ logentry: { message: '%d', params: hostile } }), 'NaN')
  t.equal(messageOf({ logentry: { message, params: [null] } }), 'null')
  t.equal(messageOf({ logentry: { message, params: [['a', 1]] } }), '["a",1]')
})
