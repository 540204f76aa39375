import t from 'tap'
import type { KnownRelease } from '../store/event-store.ts'
import { isReturn, resolution } from './resolve-policy.ts'

const known: KnownRelease[] = [
  { service: 'shop', release: '1.10.0', firstSeenMs: 30 },
  { service: 'shop', release: '1.9.0', firstSeenMs: 20 },
  { service: 'api', release: 'f00', firstSeenMs: 25 },
  { service: 'api', release: 'bee', firstSeenMs: 10 },
]

/** Whether an occurrence in a release brings a failure back that was resolved in `fixed`. */
const returns = (fixed: string | null, service: string, release: string | null, of = known) =>
  isReturn({ service, release }, resolution(of, fixed, 1000))

t.test('fixed in the next release: what was known may go on to show it', async t => {
  for (const { service, release } of known) t.notOk(returns(null, service, release), release)
  t.ok(returns(null, 'shop', '1.10.1'))
  for (const old of ['0.9.0', '1.9.1', '1.10.0-rc.1'])
    t.notOk(returns(null, 'shop', old), `${old}, which comes before one that is known and is seen later`)
  t.ok(returns(null, 'shop', 'main-7'), 'what is no version comes before none')
  t.ok(returns(null, 'api', '0.9.0'), 'nor does a version among what is none')
  t.ok(returns(null, 'mail', '0.9.0'), 'the versions of another service say nothing')
  t.ok(returns(null, 'shop', 'f00'), 'a release is one of its service')
  t.ok(returns(null, 'mail', '1.0.0'), 'a service that did not have it')
})

t.test('fixed in a named release: what comes before it may go on to show it', async t => {
  t.notOk(returns('1.10.0', 'shop', '1.9.0'))
  t.ok(returns('1.10.0', 'shop', '1.10.0'))
  t.ok(returns('1.10.0', 'shop', '1.11.0'))
  t.notOk(returns('1.10.0', 'shop', '1.9.7'), 'a patch that was not known then')
  t.ok(returns('1.9.0', 'shop', '1.10.0'), 'shown by a later one that was known')
  t.notOk(returns('2.0.0', 'shop', '1.10.0'), 'a release that nobody has seen yet')
  t.ok(returns('2.0.0', 'shop', '2.0.0'))
})

t.test('releases that are no versions are in the order in which they were first seen', async t => {
  t.notOk(returns('f00', 'api', 'bee'))
  const both = [...known, { service: 'api', release: '1.0.0', firstSeenMs: 5 }]
  t.notOk(returns('f00', 'api', '0.9.0', both), 'before a version that is old')
  t.ok(returns('f00', 'api', 'f00'))
  t.ok(returns('bee', 'api', 'f00'))
  t.notOk(returns('new', 'api', 'f00'))
  t.ok(returns('new', 'api', 'newer'))
})

t.test('an occurrence without a release counts where its service names none', async t => {
  t.notOk(returns(null, 'shop', null))
  t.notOk(returns('1.9.0', 'shop', null))
  t.ok(returns(null, 'cron', null))
  t.ok(returns(null, 'shop', null, []))
})
