import t from 'tap'
import { messageOf } from './message.ts'

t.test('inserts parameters into the message, unless the SDK has already inserted them', async t => {
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
    [{ logentry: { message: '100 %%', params: [] } }, '100 %%'],
    [{ logentry: { message: '100 % of %s and %s', params: ['a'] } }, '100 % of a and %s'],
    [{ logentry: { message: '%r failed after %d tries', params: ['a', 3.5] } }, 'a failed after 3 tries'],
    [{ logentry: { message: '%d, %i, %.2f', params: ['a', null, 'b'] } }, 'a, null, b'],
    [
      { logentry: { message: '%.2f|%f|%x|%05d|%03d', params: [1.005, 0.5, 255, -42, 7] } },
      '1.00|0.5|ff|-0042|007',
    ],
    [{ logentry: { message: '%-4s|%4s|%%s|%s', params: ['a', 'b', 'c'] } }, 'a   |   b|%s|c'],
    [{ logentry: { message: '%(n)02d for %(name)s', params: { name: 'ada', n: 7 } } }, '07 for ada'],
    [{ logentry: { message: '%(toString)s, %s', params: { name: 'ada' } } }, '%(toString)s, %s'],
    [{ logentry: { message: '%s', params: 'a' } }, '%s'],
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
  t.equal(messageOf({ logentry: { message: '%d', params: hostile } }), '{"toString":1,"valueOf":1}')
  t.equal(messageOf({ logentry: { message, params: [null] } }), 'null')
  t.equal(messageOf({ logentry: { message, params: [['a', 1]] } }), '["a",1]')
})

t.test('limits the length of the message if many directives insert a long parameter', async t => {
  const [message, name] = ['%(name)s'.repeat(60_000), 'x'.repeat(500_000)]
  for (const params of [{ name }, { name: [name] }])
    t.ok((messageOf({ logentry: { message, params } }) ?? '').length < 1_000_000)
})
