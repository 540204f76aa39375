import { EventEmitter, once } from 'node:events'
import { pino } from 'pino'
import t, { type Test } from 'tap'
import type { LogEvent, NewEvent } from '../../shared/event.ts'
import { anEvent, everything } from '../store/conformance/place.ts'
import { openDuckDbStore } from '../store/duckdb/store.ts'
import type { Store } from '../store/store.ts'
import type { FailureAlert } from './alert.ts'
import { type FailureMonitorOptions, startFailureMonitor } from './failure-monitor.ts'
import { resolution } from './resolve-policy.ts'

/** A store, and a watch over it that is told of what the store keeps. */
async function watched(t: Test, folder: string, differing: Partial<FailureMonitorOptions> = {}) {
  const store = await openDuckDbStore({ folder })
  const commits = new EventEmitter()
  const notices: FailureAlert[] = []
  const watch = await startFailureMonitor({
    store,
    events: {
      onCommit(listener: (events: readonly LogEvent[]) => void) {
        commits.on('commit', listener)
        return () => commits.off('commit', listener)
      },
    },
    logger: pino({ enabled: false }),
    notify: async notice => {
      notices.push(notice)
      commits.emit('notice')
    },
    pauseMs: 1,
    ...differing,
  })
  const stop = async () => {
    await watch.stop()
    await store.close()
  }
  t.teardown(stop)
  return {
    store,
    watch,
    stop,
    notices,
    keep: async (...events: NewEvent[]) => commits.emit('commit', await store.append(events)),
    /** Until so many notices were given. */
    async told(count: number) {
      while (notices.length < count) await once(commits, 'notice')
    },
  }
}

const occurrence = (fingerprint: string, release: string | null = '1.0.0', service = 'shop') =>
  anEvent({ fingerprint, release, service, severity: 'error' })

async function resolve(store: Store, fingerprint: string, release: string | null = null) {
  await store.failureStates.resolve(
    fingerprint,
    resolution(await store.releases(['shop']), release, Date.now()),
  )
}

const rowOf = (store: Store, fingerprint: string) => store.failure(fingerprint, 3_600_000, everything)

t.test('a failure is new once', async t => {
  const { keep, told, notices, stop } = await watched(t, t.testdir())
  await keep(occurrence('a'), occurrence('a', '1.1.0'), anEvent())
  await told(1)
  await keep(occurrence('a', '2.0.0'))
  await keep(occurrence('b', '2.0.0', 'api'))
  await told(2)
  await stop()
  t.match(notices, [
    { kind: 'new', release: '1.0.0', failure: { id: 'a', state: 'open', services: ['shop'] } },
    { kind: 'new', release: '2.0.0', failure: { id: 'b' } },
  ])
  t.equal(notices.length, 2)
})

t.test('a resolved failure returns in a newer release, not in an old one', async t => {
  const { store, keep, told, notices } = await watched(t, t.testdir())
  await keep(occurrence('a'))
  await told(1)
  await resolve(store, 'a')
  await keep(occurrence('a', '1.0.0'), occurrence('b'))
  await told(2)
  t.match(await rowOf(store, 'a'), { state: 'resolved', returned: null })
  await keep(occurrence('a', '1.0.0'), occurrence('a', '1.1.0'), occurrence('a', '1.2.0'))
  await told(3)
  t.match(notices[2], {
    kind: 'returned',
    release: '1.1.0',
    failure: { state: 'open', returned: { release: '1.1.0' } },
  })
  await keep(occurrence('a', '1.3.0'), occurrence('c'))
  await told(4)
  t.match(await rowOf(store, 'a'), { state: 'open', returned: { release: '1.1.0' } })
  t.equal(notices[3]?.failure.id, 'c', 'it has returned once')
})

t.test('what somebody muted says nothing', async t => {
  const { store, keep, told, notices } = await watched(t, t.testdir())
  await keep(occurrence('a'))
  await told(1)
  await store.failureStates.setState('a', 'muted', 1)
  await keep(occurrence('a', '9.0.0'), occurrence('b'))
  await told(2)
  t.equal(notices[1]?.failure.id, 'b')
  t.match(await rowOf(store, 'a'), { state: 'muted' })
})

t.test('the first start on an old store tells of nothing that was there', async t => {
  const folder = t.testdir()
  const old = await openDuckDbStore({ folder })
  await old.append([occurrence('a'), occurrence('b')])
  await old.close()
  const { keep, told, notices } = await watched(t, folder)
  await keep(occurrence('a'), occurrence('c'))
  await told(1)
  t.equal(notices[0]?.failure.id, 'c')
})

t.test('what a kill left between commit and look is seen at the next start', async t => {
  const folder = t.testdir()
  const first = await watched(t, folder)
  await first.keep(occurrence('a'))
  await first.told(1)
  await resolve(first.store, 'a')
  await first.watch.stop()
  await first.store.append([occurrence('b'), occurrence('a', '1.1.0')])
  await first.store.close()
  const { told, notices, stop } = await watched(t, folder)
  await told(2)
  t.match(
    notices.map(({ kind, failure }) => [kind, failure.id]),
    [
      ['new', 'b'],
      ['returned', 'a'],
    ],
  )
  await stop()
  const third = await watched(t, folder)
  await third.keep(occurrence('c'))
  await third.told(1)
  t.equal(third.notices[0]?.failure.id, 'c')
  t.match(await rowOf(third.store, 'a'), { state: 'open', returned: { release: '1.1.0' } })
})

t.test('what could not be told is tried again, and logged once', async t => {
  const lines: string[] = []
  const fails = new EventEmitter()
  let failures = 3
  const { keep, stop } = await watched(t, t.testdir(), {
    logger: pino({ base: null }, { write: line => lines.push(JSON.parse(line).msg) }),
    notify: async () => {
      if (failures > 0) {
        failures -= 1
        throw new Error('Out')
      }
      fails.emit('told')
    },
  })
  const told = once(fails, 'told')
  await keep(occurrence('a'))
  await told
  await stop()
  t.same(lines, ['Failed to detect new failures', 'Failure detection works again'])
})

t.test('a flood is told of in part', async t => {
  const lines: unknown[] = []
  const { keep, told, notices, stop } = await watched(t, t.testdir(), {
    logger: pino({ base: null }, { write: line => lines.push(JSON.parse(line)) }),
  })
  await keep(...Array.from({ length: 60 }, (_, index) => occurrence(`f${index}`)))
  await told(50)
  await stop()
  t.equal(notices.length, 50)
  t.match(lines, [{ msg: /Too many new failures/, failures: 60, told: 50 }])
})
