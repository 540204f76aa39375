import t from 'tap'
import type { KnownRelease } from '../store/event-store.ts'
import { isReturn, oldReleasesAfterMerge, resolution } from './resolve-policy.ts'

const known: KnownRelease[] = [
  { service: 'shop', release: '1.10.0', firstSeenMs: 30 },
  { service: 'shop', release: '1.9.0', firstSeenMs: 20 },
  { service: 'api', release: 'f00', firstSeenMs: 25 },
  { service: 'api', release: 'bee', firstSeenMs: 10 },
]

/** Whether an occurrence counts as a return of a failure that was fixed in release `fixed`. */
const returns = (fixed: string | null, service: string, release: string | null, of = known) =>
  isReturn({ service, release }, resolution([...servicesOf(of), 'cron'], of, fixed, 1000))

const servicesOf = (of: KnownRelease[]) => new Set(of.map(each => each.service))

t.test(
  'after a fix in the next release, occurrences in known and older releases do not count as returns',
  async t => {
    for (const { service, release } of known) t.notOk(returns(null, service, release), release)
    t.ok(returns(null, 'shop', '1.10.1'))
    for (const old of ['0.9.0', '1.9.1', '1.10.0-rc.1'])
      t.notOk(returns(null, 'shop', old), `${old} is older than a known release`)
    t.ok(returns(null, 'shop', 'main-7'), 'a release that is not a version counts as newer')
    t.ok(returns(null, 'api', '0.9.0'), 'a version counts as newer if the known releases are not versions')
    t.ok(returns(null, 'mail', '0.9.0'), 'versions of other services are ignored')
    t.ok(returns(null, 'shop', 'f00'), 'a known release of another service')
    t.ok(returns(null, 'mail', '1.0.0'), 'a service that did not have the failure')
  },
)

t.test(
  'after a fix in a specific release, occurrences in earlier releases do not count as returns',
  async t => {
    t.notOk(returns('1.10.0', 'shop', '1.9.0'))
    t.ok(returns('1.10.0', 'shop', '1.10.0'))
    t.ok(returns('1.10.0', 'shop', '1.11.0'))
    t.notOk(returns('1.10.0', 'shop', '1.9.7'), 'an unknown patch of an old version')
    t.ok(returns('1.9.0', 'shop', '1.10.0'), 'a known release after the fix')
    t.notOk(returns('2.0.0', 'shop', '1.10.0'), 'the release with the fix is unknown')
    t.ok(returns('2.0.0', 'shop', '2.0.0'))
    for (const tag of ['v1.10.0', 'V1.10.0', '=1.10.0']) {
      t.ok(returns(tag, 'shop', '1.10.0'), `${tag} is the same release as 1.10.0`)
      t.notOk(returns(tag, 'shop', '1.9.0'), `1.9.0 is older than ${tag}`)
    }
    t.ok(
      returns('1.10.0', 'shop', 'v1.10.0', [{ service: 'shop', release: 'v1.10.0', firstSeenMs: 30 }]),
      'the events have the prefix',
    )
  },
)

t.test('a release with a fix does not concern services that did not have the failure', async t => {
  t.ok(returns('1.10.0', 'mail', '0.9.0'))
  t.ok(returns('2.0.0', 'mail', '0.9.0'), 'the release with the fix is unknown')
})

t.test('a service that has reported no releases yet may use the release with the fix', async t => {
  t.notOk(returns('2.0.0', 'cron', '1.9.0'), 'no service has reported it')
  t.ok(returns('2.0.0', 'cron', '2.0.0'))
  t.ok(returns('2.0.0', 'cron', null))
  t.ok(returns('1.10.0', 'cron', '1.9.0'), 'another service has reported it')
})

t.test('a release with a fix does not concern services that use other releases', async t => {
  const both = [
    { service: 'api', release: '7.0.0', firstSeenMs: 30 },
    { service: 'shop', release: '1.2.0', firstSeenMs: 20 },
    { service: 'api', release: '6.0.0', firstSeenMs: 10 },
  ]
  for (const old of ['1.2.0', '1.1.9']) t.notOk(returns('7.0.0', 'shop', old, both), old)
  t.notOk(returns('7.0.0', 'shop', null, both))
  for (const newer of ['1.3.0', '7.0.0']) t.ok(returns('7.0.0', 'shop', newer, both), newer)
  t.notOk(returns('7.0.0', 'api', '6.9.0', both))
  t.ok(returns('7.0.0', 'api', '7.0.0', both))
  t.notOk(returns('8.0.0', 'shop', '7.9.0', both), 'no service uses the release yet')
  const commits = [...both, { service: 'web', release: 'f00', firstSeenMs: 15 }]
  t.notOk(returns('f00', 'shop', '1.2.0', commits), 'known, although it was first seen after the fix')
})

t.test('releases with a fix are ordered by their first event in each service', async t => {
  const both = [
    { service: 'api', release: 'f00', firstSeenMs: 30 },
    { service: 'api', release: 'bee', firstSeenMs: 20 },
    { service: 'shop', release: 'f00', firstSeenMs: 10 },
  ]
  t.notOk(returns('f00', 'api', 'bee', both))
})

t.test('a release without build metadata includes all its builds', async t => {
  const builds = ['1.2.0+4f1c9e2', '1.1.0+deadbee'].map((release, i) => ({
    service: 'shop',
    release,
    firstSeenMs: 20 - i,
  }))
  for (const fixed of ['1.2.0', 'v1.2.0', '1.2.0+4f1c9e2']) {
    t.ok(returns(fixed, 'shop', '1.2.0+4f1c9e2', builds), fixed)
    t.notOk(returns(fixed, 'shop', '1.1.0+deadbee', builds), fixed)
  }
  t.notOk(returns('1.2.0+fffffff', 'shop', '1.2.0+4f1c9e2', builds), 'another build')
})

t.test('after a merge, the rules apply to the services of the other failure', async t => {
  const web = { service: 'web', release: '1.0.0', firstSeenMs: 40 }
  const shop = { service: 'shop', release: '1.11.0', firstSeenMs: 50 }
  const before = resolution(servicesOf(known), known, '1.10.0', 1000)
  const oldReleases = oldReleasesAfterMerge(before, ['web'], [...known, web, shop])
  const after = (service: string, release: string) =>
    isReturn({ service, release }, { ...before, oldReleases })
  t.notOk(after('web', '1.0.0'))
  t.ok(after('web', '1.1.0'), 'no occurrence has shown that this service uses the release with the fix')
  t.notOk(after('shop', '1.9.7'))
  t.ok(after('shop', '1.11.0'))
})

t.test('releases that are not versions are ordered by their first event', async t => {
  t.notOk(returns('f00', 'api', 'bee'))
  const both = [...known, { service: 'api', release: '1.0.0', firstSeenMs: 5 }]
  t.notOk(returns('f00', 'api', '0.9.0', both), 'older than an old version')
  t.ok(returns('f00', 'api', 'f00'))
  t.ok(returns('bee', 'api', 'f00'))
  t.notOk(returns('new', 'api', 'f00'))
  t.ok(returns('new', 'api', 'newer'))
})

t.test('builds of commits after a version are ordered by their first event', async t => {
  const tagged = [{ service: 'shop', release: 'v1.4.2', firstSeenMs: 10 }]
  t.ok(returns(null, 'shop', 'v1.4.2-14-gdeadbee', tagged))
  t.notOk(returns(null, 'shop', 'v1.4.1-14-gdeadbee', tagged), 'older than a known version')
  const described = [...tagged, { service: 'shop', release: 'v1.4.2-3-gaaaaaaa', firstSeenMs: 20 }]
  t.notOk(returns('v1.4.2-3-gaaaaaaa', 'shop', 'v1.4.2', described))
  t.ok(returns('v1.4.2', 'shop', 'v1.4.2-3-gaaaaaaa', described))
  const nightly = [{ service: 'shop', release: '1.5.0-canary.abc1234', firstSeenMs: 10 }]
  t.notOk(returns('1.5.0', 'shop', '1.5.0-canary.def5678', nightly), 'a pre-release of the fixed version')
})

t.test('an occurrence without a release counts as a return only if its service has no releases', async t => {
  t.notOk(returns(null, 'shop', null))
  t.notOk(returns('1.9.0', 'shop', null))
  t.ok(returns(null, 'cron', null))
  t.ok(returns(null, 'shop', null, []))
})
