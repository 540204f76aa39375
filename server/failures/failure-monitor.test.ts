import { EventEmitter, once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import type { LogEvent, NewEvent } from '../../shared/event.ts'
import { until } from '../../shared/testing/until.ts'
import { createMutex } from '../store/common/mutex.ts'
import { anEvent, testWindow } from '../store/conformance/testing.ts'
import { emptyMemory, type Memory } from '../store/memory/memory.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import { QueryLimitError, type Store } from '../store/store.ts'
import type { FailureAlert } from './alert.ts'
import { applySourceMaps } from './apply-source-maps.ts'
import { type FailureMonitorOptions, startFailureMonitor } from './failure-monitor.ts'
import { resolution } from './resolve-policy.ts'
import { createSignatures } from './signatures.ts'
import { framesIn } from './testing.ts'

/** Opens a store, and collects the alerts of its monitor. `append` stores events and reports them to the monitor. */
async function startMonitor(
  t: Test,
  memory: Memory,
  overrides: (store: Store) => Partial<FailureMonitorOptions> = () => ({}),
) {
  const store = openMemoryStore({ memory })
  const commits = new EventEmitter()
  const alerts: FailureAlert[] = []
  const monitor = await startFailureMonitor({
    store,
    signatures: createSignatures({ store, failures: { frames: framesIn } }),
    events: {
      onCommit(listener: (events: readonly LogEvent[]) => void) {
        commits.on('commit', listener)
        return () => commits.off('commit', listener)
      },
    },
    logger: pino({ enabled: false }),
    notify: async alert => {
      alerts.push(alert)
      commits.emit('alert')
    },
    withScanLock: createMutex(),
    pauseMs: 1,
    ...overrides(store),
  })
  const stop = async () => {
    await monitor.stop()
    await store.close()
  }
  t.teardown(stop)
  return {
    store,
    monitor,
    stop,
    alerts,
    append: async (...events: NewEvent[]) => commits.emit('commit', await store.append(events)),
    /** Waits until the monitor has sent this many alerts. */
    async waitForAlerts(count: number) {
      while (alerts.length < count) await once(commits, 'alert')
    },
  }
}

const occurrence = (fingerprint: string, release: string | null = '1.0.0', service = 'shop') =>
  anEvent({ fingerprint, release, service, severity: 'error' })

async function resolve(store: Store, fingerprint: string, release: string | null = null) {
  await store.failureStates.resolve(
    fingerprint,
    resolution(['shop'], await store.releases(['shop']), release, Date.now()),
  )
}

const rowOf = (store: Store, fingerprint: string) => store.failure(fingerprint, 3_600_000, testWindow)

t.test('a failure is reported as new only once', async t => {
  const { append, waitForAlerts, alerts, stop } = await startMonitor(t, emptyMemory())
  await append(occurrence('a'), occurrence('a', '1.1.0'), anEvent())
  await waitForAlerts(1)
  await append(occurrence('a', '2.0.0'))
  await append(occurrence('b', '2.0.0', 'api'))
  await waitForAlerts(2)
  await stop()
  t.match(alerts, [
    { kind: 'new', release: '1.0.0', failure: { id: 'a', state: 'open', services: ['shop'] } },
    { kind: 'new', service: 'api', release: '2.0.0', failure: { id: 'b' } },
  ])
  t.equal(alerts.length, 2)
})

t.test('a resolved failure returns if it occurs in a newer release, but not in an old one', async t => {
  const { store, append, waitForAlerts, alerts } = await startMonitor(t, emptyMemory())
  await append(occurrence('a'))
  await waitForAlerts(1)
  await resolve(store, 'a')
  await append(occurrence('a', '1.0.0'), occurrence('b'))
  await waitForAlerts(2)
  t.match(await rowOf(store, 'a'), { state: 'resolved', returned: null })
  await append(occurrence('a', '1.0.0'), occurrence('a', '1.1.0', 'worker'), occurrence('a', '1.2.0'))
  await waitForAlerts(3)
  t.match(alerts[2], {
    kind: 'returned',
    service: 'worker',
    release: '1.1.0',
    failure: { state: 'open', returned: { release: '1.1.0' } },
  })
  await append(occurrence('a', '1.3.0'), occurrence('c'))
  await waitForAlerts(4)
  t.match(await rowOf(store, 'a'), { state: 'open', returned: { release: '1.1.0' } })
  t.equal(alerts[3]?.failure.id, 'c', 'the reopened failure is reported only once')
})

t.test('no alert is sent for a muted failure', async t => {
  const { store, append, waitForAlerts, alerts } = await startMonitor(t, emptyMemory())
  await append(occurrence('a'))
  await waitForAlerts(1)
  await store.failureStates.setState('a', 'muted', 1)
  await append(occurrence('a', '9.0.0'), occurrence('b'))
  await waitForAlerts(2)
  t.equal(alerts[1]?.failure.id, 'b')
  t.match(await rowOf(store, 'a'), { state: 'muted' })
})

t.test('the first start with an existing store sends no alerts for existing failures', async t => {
  const memory = emptyMemory()
  const old = openMemoryStore({ memory })
  await old.append([occurrence('a'), occurrence('b')])
  await old.close()
  const { append, waitForAlerts, alerts } = await startMonitor(t, memory)
  await append(occurrence('a'), occurrence('c'))
  await waitForAlerts(1)
  t.equal(alerts[0]?.failure.id, 'c')
})

t.test('when it starts, the monitor scans the stored events that a killed process did not scan', async t => {
  const memory = emptyMemory()
  const first = await startMonitor(t, memory)
  await first.append(occurrence('a'))
  await first.waitForAlerts(1)
  await resolve(first.store, 'a')
  await first.monitor.stop()
  await first.store.append([occurrence('b'), occurrence('a', '1.1.0')])
  await first.store.close()
  const { waitForAlerts, alerts, stop } = await startMonitor(t, memory)
  await waitForAlerts(2)
  t.match(
    alerts.map(({ kind, failure }) => [kind, failure.id]),
    [
      ['new', 'b'],
      ['returned', 'a'],
    ],
  )
  await stop()
  const third = await startMonitor(t, memory)
  await third.append(occurrence('c'))
  await third.waitForAlerts(1)
  t.equal(third.alerts[0]?.failure.id, 'c')
  t.match(await rowOf(third.store, 'a'), { state: 'open', returned: { release: '1.1.0' } })
})

t.test('events are not regrouped between a scan and its commit', async t => {
  const memory = emptyMemory()
  const withScanLock = createMutex()
  let applied: Promise<unknown> | null = null
  const { store, monitor, append, alerts } = await startMonitor(t, memory, store => ({
    withScanLock,
    store: {
      ...store,
      async failure(id, ...args) {
        if (id === 'a minified') {
          applied ??= apply()
          await Promise.race([applied, setTimeout(50)])
        }
        return store.failure(id, ...args)
      },
    },
  }))
  const apply = () =>
    applySourceMaps(
      {
        store,
        fingerprintEvents: async events =>
          events.map(event => ({
            ...event,
            fingerprint: event.fingerprint?.replace(' minified', '') ?? null,
          })),
        withScanLock,
      },
      () => true,
      new AbortController().signal,
    )
  const exception = { type: 'Error', message: 'x', stack: 'Error: x\n    at t (main.js:1:1)' }
  const minified = (fingerprint: string, release: string | null) => {
    return { ...occurrence(`${fingerprint} minified`, release), exception }
  }
  await append(occurrence('resolved'), minified('resolved', null))
  await monitor.scan()
  await resolve(store, 'resolved')
  alerts.length = 0
  const map = { id: 'm', release: '1.1.0', path: 'main.js', debugId: null, service: null, uploadedMs: 1 }
  await store.sourceMaps.put(map, new Uint8Array(), 1000)
  await append(minified('a', '1.1.0'), minified('a', null), minified('resolved', '1.1.0'))
  await monitor.scan()
  await applied
  await append(occurrence('a', '1.1.0'))
  await monitor.scan()
  t.match(
    alerts.map(({ failure }) => failure.id),
    ['a minified'],
    'the mapped events of a reported failure are not reported again',
  )
  t.equal(alerts.length, 1)
  t.match(await rowOf(store, 'resolved'), { state: 'open', count: 2, returned: { release: '1.1.0' } })
})

t.test('no alert is sent for a failure whose events are deleted after they were scanned', async t => {
  const memory = emptyMemory()
  const { monitor, append, alerts } = await startMonitor(t, memory, store => ({
    store: {
      ...store,
      async failure(id, ...args) {
        if (id === 'deleted') memory.events = memory.events.filter(({ fingerprint }) => fingerprint !== id)
        return store.failure(id, ...args)
      },
    },
  }))
  await append(occurrence('deleted'), occurrence('b'))
  await monitor.scan()
  t.match(
    alerts.map(({ failure }) => failure.id),
    ['b'],
  )
})

t.test('a failed alert is retried, and only the first error is logged', async t => {
  const lines: string[] = []
  const sent = new EventEmitter()
  let failures = 3
  const { append, stop } = await startMonitor(t, emptyMemory(), () => ({
    logger: pino({ base: null }, { write: line => lines.push(JSON.parse(line).msg) }),
    notify: async () => {
      if (failures > 0) {
        failures -= 1
        throw new Error('Out')
      }
      sent.emit('alert')
    },
  }))
  const alerted = once(sent, 'alert')
  await append(occurrence('a'))
  await alerted
  await stop()
  t.same(lines, ['Failed to detect new failures', 'Resumed detecting new failures'])
})

t.test('a failure whose query exceeds a limit does not stop the detection of others', async t => {
  const lines: unknown[] = []
  const { append, waitForAlerts, alerts, stop } = await startMonitor(t, emptyMemory(), store => ({
    store: {
      ...store,
      async failure(id, ...args) {
        if (id === 'a') throw new QueryLimitError('The query took too long')
        return store.failure(id, ...args)
      },
    },
    logger: pino({ base: null }, { write: line => lines.push(JSON.parse(line)) }),
  }))
  await append(occurrence('a'), occurrence('b'))
  await waitForAlerts(1)
  await append(occurrence('a'), occurrence('c'))
  await waitForAlerts(2)
  await stop()
  t.same(
    alerts.map(({ failure }) => failure.id),
    ['b', 'c'],
  )
  t.match(lines, [{ msg: 'Failed to load a failure for its alert', failure: 'a' }])
  t.equal(lines.length, 1)
})

t.test(
  'failures are detected even if the backfill of signatures fails, and the backfill is retried later',
  async t => {
    const lines: string[] = []
    let attempts = 0
    const { append, monitor, alerts } = await startMonitor(t, emptyMemory(), () => ({
      signatures: {
        async backfill() {
          attempts += 1
          if (attempts < 3) throw new QueryLimitError('The query took too long')
          return false
        },
        joinNearMatches: async () => false,
      },
      backfillRetryMs: 0,
      logger: pino({ base: null }, { write: line => lines.push(JSON.parse(line).msg) }),
    }))
    for (const fingerprint of ['a', 'b', 'c', 'd']) {
      await append(occurrence(fingerprint))
      await monitor.scan()
    }
    t.equal(alerts.length, 4)
    t.equal(attempts, 3)
    t.same(lines, ['Failed to backfill the signatures of known failures'])
  },
)

t.test('a backfill that was interrupted by the loss of the lease continues with the next lease', async t => {
  let lease = new AbortController()
  let attempts = 0
  const { monitor } = await startMonitor(t, emptyMemory(), store => ({
    store: {
      ...store,
      replicas: { ...store.replicas, lease: () => (lease.signal.aborted ? null : lease.signal) },
    },
    signatures: {
      async backfill() {
        attempts += 1
        if (attempts === 1) lease.abort()
        return lease.signal.aborted
      },
      joinNearMatches: async () => false,
    },
  }))
  await monitor.scan()
  lease = new AbortController()
  await monitor.scan()
  await monitor.scan()
  t.equal(attempts, 2)
})

t.test('failures are detected before the backfill of signatures is complete', async t => {
  const memory = emptyMemory()
  const first = await startMonitor(t, memory)
  await first.monitor.stop()
  await first.store.append([occurrence('a')])
  await first.store.close()
  const steps: string[] = []
  await startMonitor(t, memory, () => ({
    signatures: {
      async backfill() {
        steps.push('backfill')
        return steps.length < 4
      },
      joinNearMatches: async () => false,
    },
    notify: async ({ failure }) => void steps.push(failure.id),
  }))
  await until(() => steps.length === 4)
  t.same(steps, ['a', 'backfill', 'backfill', 'backfill'])
})

t.test('backfills the signatures of all known fingerprints except those without an event', async t => {
  const events = Array.from({ length: 2500 }, (_, index) => thrown(`f${index}`, '1.0.0', 'pay (/app/pay.js'))
  const withSignature = new Set<string>()
  const groups: number[] = []
  const { backfill } = createSignatures({
    store: {
      releases: async () => [],
      async event(id) {
        const event = events[id]
        return event === undefined || id % 1000 === 7 ? null : { ...event, id }
      },
      failureGrouping: {
        signatures: async () => [],
        async withoutSignature(limit) {
          return events
            .map(({ fingerprint }, eventId) => ({ fingerprint: fingerprint ?? '', eventId }))
            .filter(({ fingerprint }) => !withSignature.has(fingerprint))
            .slice(0, limit)
        },
        async storeSignatures(signatures) {
          groups.push(signatures.length)
          for (const { fingerprint } of signatures) withSignature.add(fingerprint)
        },
      },
    },
    failures: { frames: framesIn },
  })
  const { signal } = new AbortController()
  t.ok(await backfill(signal))
  t.same(groups, [49], 'in one transaction')
  while (await backfill(signal)) t.ok(groups.every(size => size <= 50))
  t.equal(withSignature.size, 2497)
})

t.test('stops the backfill if the store deletes the signatures at once because of the limit', async t => {
  let stored = 0
  const { backfill } = createSignatures({
    store: {
      releases: async () => [],
      event: async id => ({ ...thrown(`f${id}`, '1.0.0', 'pay (/app/pay.js'), id }),
      failureGrouping: {
        signatures: async () => [],
        withoutSignature: async limit =>
          Array.from({ length: limit }, (_, eventId) => ({ fingerprint: `f${eventId}`, eventId })),
        async storeSignatures(signatures) {
          stored += signatures.length
        },
      },
    },
    failures: { frames: framesIn },
  })
  const { signal } = new AbortController()
  while (await backfill(signal));
  t.equal(stored, 50)
})

const thrown = (fingerprint: string, release: string, ...frames: string[]) => {
  const stack = ['Error: no price', ...frames.map(frame => `    at ${frame}:1:1)`)].join('\n')
  const exception = { type: 'Error', message: 'no price', stack }
  return anEvent({ fingerprint, release, severity: 'error', exception })
}

t.test('a failure that is recognised in a newer release is not reported as new', async t => {
  const { store, monitor, append, waitForAlerts, alerts } = await startMonitor(t, emptyMemory())
  await append(thrown('a', '1.0.0', 'total (/app/lib/cart.js', 'pay (/app/lib/pay.js'))
  await waitForAlerts(1)
  await append(thrown('b', '1.1.0', 'sumOf (/app/lib/cart.js', 'pay (/app/lib/pay.js'), occurrence('other'))
  await waitForAlerts(2)
  await resolve(store, 'a')
  await append(thrown('c', '1.2.0', 'sumOf (/app/core/cart.js', 'pay (/app/core/pay.js'))
  await waitForAlerts(3)
  await monitor.stop()
  t.match(await rowOf(store, 'a'), { id: 'a', count: 3, state: 'open', returned: { release: '1.2.0' } })
  t.match(alerts, [
    { kind: 'new', failure: { id: 'a' } },
    { kind: 'new', failure: { id: 'other' } },
    { kind: 'returned', release: '1.2.0', failure: { id: 'a' } },
  ])
})

t.test('recognises failures that an older version stored without a signature', async t => {
  const memory = emptyMemory()
  const old = openMemoryStore({ memory })
  await old.append([thrown('a', '1.0.0', 'total (/app/lib/cart.js', 'pay (/app/lib/pay.js')])
  await old.close()
  const { store, monitor, append, waitForAlerts, alerts } = await startMonitor(t, memory)
  await monitor.scan()
  await append(thrown('b', '1.1.0', 'sumOf (/app/lib/cart.js', 'pay (/app/lib/pay.js'), occurrence('other'))
  await waitForAlerts(1)
  t.match(alerts, [{ kind: 'new', failure: { id: 'other' } }])
  t.equal(await store.failureId('b'), 'a')
})

t.test('limits the number of alerts, even if several scans find the failures', async t => {
  const lines: unknown[] = []
  const { append, monitor, alerts } = await startMonitor(t, emptyMemory(), () => ({
    logger: pino({ base: null }, { write: line => lines.push(JSON.parse(line)) }),
  }))
  for (const scan of ['a', 'b', 'c']) {
    await append(...Array.from({ length: 30 }, (_, index) => occurrence(`${scan}${index}`)))
    await monitor.scan()
  }
  t.equal(alerts.length, 50)
  t.match(lines, [{ msg: /Too many failures/, omitted: 10 }])
})
