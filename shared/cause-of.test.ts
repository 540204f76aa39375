import t from 'tap'
import { causeOf } from './cause-of.ts'

const circular = new Error('socket hang up')
circular.cause = circular

t.test('returns the reason why a request failed', async t => {
  const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
  for (const [error, reason] of [
    // If a connection to a name with two addresses, such as localhost, fails, the error has no message.
    [refused, 'ECONNREFUSED'],
    [new TypeError('fetch failed', { cause: refused }), 'ECONNREFUSED'],
    [
      new TypeError('fetch failed', { cause: new Error('certificate has expired') }),
      'certificate has expired',
    ],
    [new AggregateError([]), 'AggregateError'],
    [new Error('no cause', { cause: null }), 'no cause'],
    [circular, 'socket hang up'],
    ['stopped', 'stopped'],
  ])
    t.equal(causeOf(error), reason)
})
