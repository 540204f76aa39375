import { EventEmitter, once } from 'node:events'
import { pino } from 'pino'
import t from 'tap'
import type { NewEvent } from '../../shared/event.ts'
import { anEvent, noonMs, testWindow } from '../store/conformance/testing.ts'
import { emptyMemory, type Memory } from '../store/memory/memory.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import { startFailureMonitor } from './failure-monitor.ts'
import { groupRedactedReport, redactedFingerprint } from './redacted-report.ts'
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
  // A monitor scans when it starts, and finishes its scan before it stops.
  const scans = new EventEmitter()
  const scanned = once(scans, 'commit')
  const { commit } = store.failureStates
  const monitor = await startFailureMonitor({
    store: {
      ...store,
      failureStates: {
        ...store.failureStates,
        async commit(result) {
          await commit(result)
          scans.emit('commit')
        },
      },
    },
    signatures: createSignatures({ store, failures: { frames: framesIn } }),
    events: { onCommit: () => () => {} },
    logger: pino({ enabled: false }),
    notify: async ({ kind, failure }) => void alerts.push(`${kind} ${failure.id}: ${failure.message}`),
  })
  await scanned
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

t.test('a redacted report that arrives first is a failure until the server failure arrives', async t => {
  const memory = emptyMemory()
  const id = redactedFingerprint('42')
  t.same(await run(memory, report('42')), [`new ${id}: Minified React error #441`])
  const store = openMemoryStore({ memory })
  await store.failureStates.addNote(id, { id: 'n1', writtenMs: 1, text: 'Who knows this?' })
  await store.close()
  t.same(await run(memory, serverFailure('42')), [], 'the failure was already reported')
  t.match(await failuresIn(memory), one)
  const reopened = openMemoryStore({ memory })
  t.teardown(() => reopened.close())
  t.match(await reopened.failureStates.notes('server'), [{ text: 'Who knows this?' }])
})

t.test('redacted reports with a new digest of a known failure join that failure', async t => {
  const memory = emptyMemory()
  await run(memory, serverFailure('1'))
  t.equal((await run(memory, report('2'))).length, 1)
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
  await store.failureDigests.add(redactedFingerprint('42'), 'server')
  await store.close()
  t.same(await run(memory), ['new server: card declined'])
  t.match(await failuresIn(memory), one)
})

t.test('without a server failure, redacted reports with the same digest are one failure', async t => {
  const memory = emptyMemory()
  const alerts = await run(
    memory,
    report('1', { route: '/a' }),
    report('1', { route: '/b' }),
    report('2', { route: '/a' }),
    serverFailure('3'),
    serverFailure(null),
  )
  t.equal(alerts.length, 3)
  const counts = new Map((await failuresIn(memory)).map(({ id, count }) => [id, count]))
  t.same(
    counts,
    new Map([
      ['server', 2],
      [redactedFingerprint('1'), 2],
      [redactedFingerprint('2'), 1],
    ]),
  )
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

t.test('a server failure that was merged into its redacted report stays there', async t => {
  const memory = emptyMemory()
  const id = redactedFingerprint('42')
  await run(memory, report('42'))
  const store = openMemoryStore({ memory })
  await store.failureStates.merge('server', id)
  await store.close()
  t.same(await run(memory, serverFailure('42'), report('42')), [])
  t.match(await failuresIn(memory), [{ id, count: 3, message: 'card declined' }])
})

t.test('a redacted report that was split off manually is not joined again', async t => {
  const memory = emptyMemory()
  await run(memory, serverFailure('d1'), report('d1'))
  const store = openMemoryStore({ memory })
  const separate = await store.manualGrouping.split(redactedFingerprint('d1'))
  await store.close()
  t.equal(separate, redactedFingerprint('d1'))
  await run(memory, serverFailure('d1'), report('d1'))
  const after = openMemoryStore({ memory })
  t.teardown(() => after.close())
  t.equal(await after.failureId(redactedFingerprint('d1')), separate)
})
