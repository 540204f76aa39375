import { pino } from 'pino'
import t from 'tap'
import type { NewEvent } from '../../shared/event.ts'
import { createMutex } from '../store/common/mutex.ts'
import { anEvent, noonMs, testWindow } from '../store/conformance/testing.ts'
import { emptyMemory, type Memory } from '../store/memory/memory.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import { startFailureMonitor } from './failure-monitor.ts'
import { groupRedactedReport, redactedFingerprint, waitingFingerprint } from './redacted-report.ts'
import { resolution } from './resolve-policy.ts'
import { createSignatures } from './signatures.ts'
import { framesIn } from './testing.ts'

const serverFailure = (digest: string | null, overrides: Partial<NewEvent> = {}) =>
  anEvent({
    fingerprint: 'server',
    digest,
    severity: 'error',
    release: '1.0.0',
    exception: { type: 'PaymentError', message: 'card declined', stack: 'PaymentError: card declined' },
    ...overrides,
  })

const report = (digest: string, overrides: Partial<NewEvent> = {}) =>
  groupRedactedReport(
    anEvent({
      digest,
      severity: 'error',
      source: 'browser',
      service: 'shop-web',
      timeMs: noonMs + 1,
      exception: { type: 'Error', message: 'Minified React error #441; visit …', stack: 'Error' },
      ...overrides,
    }),
  )

/** Stores events as one process would, and returns the alerts that it sends for them. */
async function run(memory: Memory, ...events: NewEvent[]): Promise<string[]> {
  const store = openMemoryStore({ memory })
  const alerts: string[] = []
  await store.failureStates.init()
  if (events.length > 0) await store.append(events)
  const monitor = await startFailureMonitor({
    store,
    signatures: createSignatures({ store, failures: { frames: framesIn } }),
    events: { onCommit: () => () => {} },
    logger: pino({ enabled: false }),
    forgetPauseMs: 0,
    withScanLock: createMutex(),
    notify: async ({ kind, failure }) => void alerts.push(`${kind} ${failure.id}: ${failure.message}`),
  })
  await monitor.scan()
  await monitor.stop()
  await store.close()
  return alerts
}

/** Reads the failures after a restart. */
async function failuresIn(memory: Memory) {
  const store = openMemoryStore({ memory })
  const query = {
    window: testWindow,
    bucketMs: 3_600_000,
    sort: 'frequent',
    service: null,
    text: null,
    limit: 9,
  } as const
  const { failures } = await store.failures({ ...query, state: null })
  await store.close()
  return failures
}

const one = [{ id: 'server', message: 'card declined', count: 2, services: ['shop', 'shop-web'] }]

t.test('a redacted report that arrives with the server failure joins it', async t => {
  for (const events of [
    [serverFailure('42'), report('42')],
    [report('42'), serverFailure('42@E80')],
  ]) {
    const memory = emptyMemory()
    t.same(await run(memory, ...events), ['new server: card declined'])
    const failures = await failuresIn(memory)
    t.match(failures, one)
    t.equal(failures.length, 1)
  }
})

t.test('a redacted report that arrives after the server failure joins it without an alert', async t => {
  const memory = emptyMemory()
  await run(memory, serverFailure('42'))
  t.same(await run(memory, report('42')), [])
  t.match(await failuresIn(memory), one)
})

const waiting = waitingFingerprint('Minified React error #441')

t.test(
  'a redacted report that arrives first waits in a failure until the server failure arrives',
  async t => {
    const memory = emptyMemory()
    t.same(await run(memory, report('42')), [`new ${waiting}: Minified React error #441`])
    t.match(await failuresIn(memory), [{ id: waiting, count: 1 }])
    t.same(await run(memory, serverFailure('42')), ['new server: card declined'])
    t.match(await failuresIn(memory), one)
    t.same(await run(memory, report('42')), [])
    t.match(await failuresIn(memory), [{ id: 'server', count: 3 }])
  },
)

t.test('reports without a server failure are one failure per message, with one alert', async t => {
  const memory = emptyMemory()
  const fromModule = (digest: string, overrides: Partial<NewEvent> = {}) =>
    report(digest, {
      digest: null,
      exception: { type: 'Error', message: `Internal Server Error. Digest: ${digest}`, stack: 'at a.js:1:1' },
      ...overrides,
    })
  const digests = Array.from({ length: 200 }, (_, index) => index.toString(16).padStart(12, '0'))
  const alerts = await run(memory, ...digests.map(digest => fromModule(digest)), report('42'))
  const ofModule = waitingFingerprint('Internal Server Error')
  t.same(alerts, [`new ${ofModule}: Internal Server Error`, `new ${waiting}: Minified React error #441`])
  t.same(await run(memory, fromModule('ffffffffffff'), report('43')), [])
  t.match(await failuresIn(memory), [
    { id: ofModule, count: 201 },
    { id: waiting, count: 2 },
  ])
})

t.test('reports that wait reopen their failure if it was resolved', async t => {
  const memory = emptyMemory()
  await run(memory, report('42', { release: '1.0.0' }))
  const store = openMemoryStore({ memory })
  const known = await store.releases(['shop-web'])
  await store.failureStates.resolve(waiting, resolution(['shop-web'], known, null, Date.now()))
  await store.close()
  t.same(await run(memory, report('43', { release: '1.0.0' })), [])
  t.same(await run(memory, report('44', { release: '2.0.0' })), [
    `returned ${waiting}: Minified React error #441`,
  ])
})

t.test('the state of waiting reports does not move to the server failure', async t => {
  const memory = emptyMemory()
  await run(memory, serverFailure('1'), report('42'))
  const store = openMemoryStore({ memory })
  await store.failureStates.setState(waiting, 'muted', noonMs)
  await store.close()
  await run(memory, serverFailure('42'))
  t.match(await failuresIn(memory), [{ id: 'server', state: 'open', count: 3 }])
})

t.test('the fingerprints of reports are forgotten after their events expire', async t => {
  const memory = emptyMemory()
  await run(memory, serverFailure('1'), report('1'), report('42'))
  memory.events = memory.events.filter(({ source }) => source !== 'browser')
  await run(memory)
  t.same([...memory.state.failureIds.keys()].sort(), ['server', waiting].sort())
})

t.test('the signature of a server failure does not come from its reports', async t => {
  const memory = emptyMemory()
  const stack = 'PaymentError: card declined\n    at pay (/app/pay.js:1:2)'
  await run(
    memory,
    report('42'),
    serverFailure('42', { exception: { type: 'PaymentError', message: 'card declined', stack } }),
  )
  t.match(
    [...memory.state.signatures.values()],
    [{ fingerprint: 'server', service: 'shop', frames: { length: 1 } }],
  )
})

t.test('redacted reports with a new digest of a known failure join that failure', async t => {
  const memory = emptyMemory()
  await run(memory, serverFailure('1'))
  t.same(await run(memory, report('2')), [`new ${waiting}: Minified React error #441`])
  t.same(await run(memory, serverFailure('2')), [])
  const failures = await failuresIn(memory)
  t.match(failures, [{ id: 'server', count: 3 }])
  t.equal(failures.length, 1)
})

t.test('if the process is killed before the commit, the next process joins the report', async t => {
  const memory = emptyMemory()
  const store = openMemoryStore({ memory })
  await store.failureStates.init()
  await store.append([report('42'), serverFailure('42')])
  await store.failureDigests.follow(new Map([[redactedFingerprint('42'), 'server']]))
  await store.close()
  t.same(await run(memory), ['new server: card declined'])
  t.match(await failuresIn(memory), one)
})

t.test('a redacted report does not reopen a resolved failure; the server failure does', async t => {
  const memory = emptyMemory()
  await run(memory, serverFailure('42'), report('42', { release: '1.0.0' }))
  const store = openMemoryStore({ memory })
  const services = ['shop', 'shop-web']
  const known = await store.releases(services)
  await store.failureStates.resolve('server', resolution(services, known, null, Date.now()))
  await store.close()
  t.same(await run(memory, report('42', { release: '2.0.0' }), report('42', { service: 'admin-web' })), [])
  t.match((await failuresIn(memory))[0], { state: 'resolved', count: 4 })
  t.same(await run(memory, serverFailure('42', { release: '2.0.0' })), ['returned server: card declined'])
})

t.test('a redacted report never merges two server failures', async t => {
  const memory = emptyMemory()
  await run(memory, serverFailure('42'), report('42'))
  const other = serverFailure('42', { fingerprint: 'other' })
  t.equal((await run(memory, other)).length, 1)
  t.equal((await run(memory, report('42'))).length, 0)
  const failures = await failuresIn(memory)
  t.same(
    failures.map(({ id, count }) => [id, count]),
    [
      ['server', 3],
      ['other', 1],
    ],
  )
})

t.test('a server failure that was merged with waiting reports keeps its reports', async t => {
  const memory = emptyMemory()
  await run(memory, report('42'))
  const store = openMemoryStore({ memory })
  await store.manualGrouping.merge('server', waiting)
  await store.close()
  t.same(await run(memory, serverFailure('42'), report('42')), [])
  t.match(await failuresIn(memory), [{ id: waiting, count: 3, message: 'card declined' }])
  const merged = openMemoryStore({ memory })
  t.teardown(() => merged.close())
  t.equal(await merged.manualGrouping.split('server'), null, 'no other events')
})

t.test('the reports of a failure that is split off move with it', async t => {
  const memory = emptyMemory()
  await run(memory, serverFailure('d1'), report('d1'), serverFailure(null, { fingerprint: 'other' }))
  const store = openMemoryStore({ memory })
  t.teardown(() => store.close())
  await store.manualGrouping.merge('server', 'other')
  t.equal(await store.failureId(redactedFingerprint('d1')), 'other')
  t.equal(await store.manualGrouping.split('server'), 'server')
  t.equal(await store.failureId(redactedFingerprint('d1')), 'server')
})
