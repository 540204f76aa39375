import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import type { NewEvent } from '../../shared/event.ts'
import type { UnmappedReason } from '../../shared/stack.ts'
import { until } from '../../shared/testing/until.ts'
import { explainUnmapped } from '../failures/explain-unmapped.ts'
import { createFailures } from '../failures/failures.ts'
import { startRegrouping } from '../failures/regroup.ts'
import { bundleShop, cartSource, type ShopRelease } from '../failures/testing.ts'
import { createMutex } from '../store/common/mutex.ts'
import { anEvent } from '../store/conformance/testing.ts'
import { openServiceMaps } from './service-maps.ts'
import { type Sixpane, send, sixpane, window } from './testing.ts'

const unlabelled = [{ price: { total: 1 }, label: { text: '' } }]
const negative = [{ price: { total: -5 }, label: { text: 'x' } }]

type Shop = { release: string; path: string; json: Buffer; bugEvent(items: unknown): Promise<NewEvent> }

/** Builds a release of the shop; `bugEvent` returns the event that a browser sends for a bug in it. */
async function shop(t: Test, release: ShopRelease): Promise<Shop> {
  const root = await mkdtemp(join(tmpdir(), 'sixpane-'))
  t.teardown(() => rm(root, { recursive: true }))
  const files = await bundleShop(root, release, 'static/js')
  const code = files.find(({ path }) => path.endsWith('.js'))
  const map = files.find(({ path }) => path.endsWith('.map'))
  if (code === undefined || map === undefined) throw new Error('The sample was not built')
  const file = join(root, basename(code.path))
  await writeFile(file, code.contents)
  const module: { checkout(items: unknown): void } = await import(pathToFileURL(file).href)
  return {
    release,
    path: `static/js/${basename(file)}`,
    json: Buffer.from(map.contents),
    async bugEvent(items) {
      try {
        module.checkout(items)
      } catch (error) {
        if (error instanceof Error) return thrown(error, release, pathToFileURL(root).href)
      }
      throw new Error('The sample did not fail')
    },
  }
}

function thrown({ name, message, stack = '' }: Error, release: string, root: string): NewEvent {
  const lines = stack.split('\n').filter(line => !line.includes('/server/source-maps/'))
  const inBrowser = lines.join('\n').replaceAll(root, 'https://shop.example/static/js')
  return anEvent({ release, timeMs: Date.now(), exception: { type: name, message, stack: inBrowser } })
}

/** Returns the releases of a failure, oldest first. */
async function releasesOf(store: Sixpane['store'], id: string) {
  const { releases } = await store.failureReleases(id)
  return releases.map(({ release }) => release).toReversed()
}

async function storedFailures({ store }: Sixpane) {
  const { failures } = await store.failures({
    window,
    bucketMs: 60_000,
    sort: 'newest',
    state: null,
    service: null,
    text: null,
    limit: 9,
  })
  return Promise.all(
    failures.map(async ({ id, count }) => ({ id, releases: await releasesOf(store, id), count })),
  )
}

t.test('one bug in two minified releases is one failure with the correct source line', async t => {
  const console = await sixpane(t)
  const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
  t.not(first.path, second.path)
  for (const each of [first, second]) {
    await console.upload(each)
    const event = await each.bugEvent(unlabelled)
    await send(console, event)
    const [frame, next] = await console.failures.frames(event.exception?.stack ?? '', event)
    t.match(frame, { functionName: 'sumOf', file: 'client/cart.ts', inApp: true, unmapped: null })
    const code = frame?.code?.lines[(frame?.line ?? 0) - (frame?.code?.firstLine ?? 0)]
    t.match(code, "throw new Error('item '")
    t.match(next, { functionName: 'checkout', file: 'client/entry.ts', unmapped: null })
  }
  t.match(await storedFailures(console), [{ releases: ['first', 'second'], count: 2 }])
  await send(console, await second.bugEvent(negative))
  t.equal((await storedFailures(console)).length, 2, 'another bug is a separate failure')
})

t.test('source maps uploaded after the events merge failures and preserve their state', async t => {
  const console = await sixpane(t)
  const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
  await send(console, await first.bugEvent(unlabelled))
  await send(console, await first.bugEvent(unlabelled))
  await send(console, await second.bugEvent(unlabelled))
  await console.upload(second)
  const [failure] = (await storedFailures(console)).filter(({ releases }) => releases.includes('first'))
  await console.store.failureStates.setState(failure?.id ?? '', 'muted', 1)
  await console.upload(first)
  const [merged, ...others] = await storedFailures(console)
  t.same(others, [])
  t.match(merged, { releases: ['first', 'second'], count: 3 })
  t.match(await console.store.failureCounts(window), { open: { failures: 0 }, muted: { failures: 1 } })
  await send(console, await second.bugEvent(unlabelled))
  t.match(await storedFailures(console), [{ id: merged?.id, count: 4 }])
})

t.test(
  'source maps uploaded after the events add a fingerprint to a failure, and preserve its id, state and notes',
  async t => {
    const console = await sixpane(t)
    const { failureStates } = console.store
    const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
    await send(console, await first.bugEvent(unlabelled))
    const [{ id: fixed } = { id: '' }] = await storedFailures(console)
    await failureStates.resolve(fixed, {
      atMs: 5,
      release: '2.0.0',
      oldReleases: [{ service: 'shop', release: 'first' }],
    })
    await failureStates.addNote(fixed, { id: 'n', writtenMs: 1, text: 'Known' })
    await send(console, await second.bugEvent(negative))
    const muted = (await storedFailures(console)).find(({ id }) => id !== fixed)?.id ?? ''
    await failureStates.setState(muted, 'muted', 6)

    for (const each of [first, second]) await console.upload(each)
    t.match(await console.store.failure(fixed, 60_000, window), {
      state: 'resolved',
      resolved: { release: '2.0.0', atMs: 5 },
    })
    t.same(await releasesOf(console.store, fixed), ['first'])
    t.match(await failureStates.notes(fixed), [{ text: 'Known' }])
    t.match(await console.store.failure(muted, 60_000, window), {
      state: 'muted',
      stateMs: 6,
    })
    t.same(await releasesOf(console.store, muted), ['second'])
    const { events } = await console.store.wholeEvents({ window, query: { kind: 'all' }, limit: 10 })
    const fingerprints = events.map(({ fingerprint }) => fingerprint ?? '')
    t.same(
      fingerprints.filter(each => each === fixed || each === muted),
      [],
      'the events were regrouped',
    )
    t.same(
      new Set(await Promise.all(fingerprints.map(each => console.store.failureId(each)))),
      new Set([fixed, muted]),
    )
  },
)

t.test(
  'if source maps distinguish two bugs with the same minified stack, neither is reported as a new failure',
  async t => {
    for (const hasOthers of [false, true]) {
      await t.test(`with${hasOthers ? '' : 'out'} events that have no source maps`, async t => {
        const console = await sixpane(t)
        const { store } = console
        const first = await shop(t, 'first')
        const bugs = [await first.bugEvent(negative), await first.bugEvent(unlabelled)]
        const others = hasOthers ? bugs.map(bug => ({ ...bug, release: 'other' })) : []
        await store.append([...bugs, ...others].map(bug => ({ ...bug, fingerprint: 'minified' })))
        await store.failureStates.markKnown(['minified'])
        await console.upload(first)
        const failures = await storedFailures(console)
        t.equal(failures.length, hasOthers ? 3 : 2)
        for (const { id } of failures) t.ok(await store.failureStates.isKnown(id))
      })
    }
  },
)

t.test('a failure whose events are regrouped before they are scanned is still new', async t => {
  const console = await sixpane(t)
  const { failureStates } = console.store
  await failureStates.init()
  const first = await shop(t, 'first')
  await console.store.append([{ ...(await first.bugEvent(unlabelled)), fingerprint: 'minified' }])
  await console.upload(first)
  const [failure] = await storedFailures(console)
  t.not(failure?.id, 'minified')
  t.match((await failureStates.scan(10)).occurrences, [{ failureId: failure?.id, resolution: null }])
})

t.test('a failure that a user mutes just before its events are regrouped is not reported as new', async t => {
  for (const hasOthers of [false, true]) {
    await t.test(`with${hasOthers ? '' : 'out'} events that have no source maps`, async t => {
      const { store, maps, failures, signatures, logger } = await sixpane(t)
      const { failureStates } = store
      await failureStates.init()
      const first = await shop(t, 'first')
      const bug = { ...(await first.bugEvent(unlabelled)), fingerprint: 'minified' }
      await store.append(hasOthers ? [bug, { ...bug, release: 'other' }] : [bug])
      await maps.add({ ...first, debugId: null, service: null })
      const regrouping = startRegrouping({
        withScanLock: createMutex(),
        store: {
          ...store,
          async regroup(...args) {
            await failureStates.setState('minified', 'muted', 1)
            return store.regroup(...args)
          },
        },
        signatures,
        fingerprintEvents: failures.fingerprintEvents,
        logger,
        quietMs: 0,
        settleMs: 0,
      })
      t.teardown(() => regrouping.stop())
      await regrouping.wake()
      const { events } = await store.events({ window, query: { kind: 'all' }, limit: 2 })
      t.equal(new Set(events.map(({ fingerprint }) => fingerprint)).size, hasOthers ? 2 : 1)
      t.same((await failureStates.scan(10)).occurrences, [])
      t.match(await store.failure('minified', 60_000, window), { id: 'minified', state: 'muted', count: 1 })
    })
  }
})

/** Marks the failures of all stored events as known, as the monitor does when it has scanned them. */
async function scanAll({ failureStates }: Sixpane['store']) {
  const { occurrences, position } = await failureStates.scan(100)
  await failureStates.commit({ known: occurrences.map(({ failureId }) => failureId), returned: [], position })
}

/** Resolves a failure of the shop in the release after the first one. */
function resolve({ failureStates }: Sixpane['store'], id: string) {
  const oldReleases = [{ service: 'shop', release: 'first' }]
  return failureStates.resolve(id, { atMs: 5, release: null, oldReleases })
}

t.test('a resolved failure is open if source maps show that it has returned', async t => {
  for (const hasOthers of [false, true]) {
    await t.test(`with${hasOthers ? '' : 'out'} events that have no source maps`, async t => {
      const console = await sixpane(t)
      const { store } = console
      await store.failureStates.init()
      const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
      await console.upload(first)
      await send(console, await first.bugEvent(unlabelled))
      await scanAll(store)
      const [{ id } = { id: '' }] = await storedFailures(console)
      await resolve(store, id)
      const bug = await second.bugEvent(unlabelled)
      await send(console, bug)
      if (hasOthers) await send(console, { ...bug, release: 'other' })
      await scanAll(store)
      await console.upload(second)
      t.same(await releasesOf(store, id), ['first', 'second'])
      t.match(await store.failure(id, 60_000, window), { state: 'open', returned: { release: 'second' } })
    })
  }
})

t.test('a resolved failure that has returned is open even if regrouping is interrupted', async t => {
  const console = await sixpane(t)
  const { store, maps, failures } = console
  await store.failureStates.init()
  const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
  await console.upload(first)
  await send(console, await first.bugEvent(unlabelled))
  await scanAll(store)
  const [{ id } = { id: '' }] = await storedFailures(console)
  await resolve(store, id)
  const bug = await second.bugEvent(unlabelled)
  await send(console, bug)
  await send(console, { ...bug, release: 'other' })
  await scanAll(store)
  await maps.add({ ...second, debugId: null, service: null })
  const errors: unknown[] = []
  const regrouping = startRegrouping({
    ...console,
    store: {
      ...store,
      async regroup(...args) {
        await store.regroup(...args)
        throw new Error('Killed')
      },
    },
    fingerprintEvents: failures.fingerprintEvents,
    logger: { info: () => {}, error: ({ err }: { err: unknown }) => errors.push(err) },
    quietMs: 0,
    settleMs: 0,
  })
  t.teardown(() => regrouping.stop())
  await until(() => errors.length > 0)
  await regrouping.wake()
  t.match(await store.failure(id, 60_000, window), { state: 'open', returned: { release: 'second' } })
})

t.test('a resolved failure that is merged into one with newer occurrences is open', async t => {
  const console = await sixpane(t)
  const { store } = console
  await store.failureStates.init()
  const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
  await send(console, await first.bugEvent(unlabelled))
  await scanAll(store)
  const [{ id } = { id: '' }] = await storedFailures(console)
  await resolve(store, id)
  await console.upload(second)
  await send(console, await second.bugEvent(unlabelled))
  await scanAll(store)
  await console.upload(first)
  t.equal((await storedFailures(console)).length, 1)
  t.match(await store.failure(id, 60_000, window), { state: 'open', returned: { release: 'second' } })
})

t.test('a return whose events are regrouped before they are scanned is left to the monitor', async t => {
  const console = await sixpane(t)
  const { store } = console
  await store.failureStates.init()
  const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
  await console.upload(first)
  await send(console, await first.bugEvent(unlabelled))
  await scanAll(store)
  const [{ id } = { id: '' }] = await storedFailures(console)
  await resolve(store, id)
  await send(console, await second.bugEvent(unlabelled))
  await console.upload(second)
  t.match(await store.failure(id, 60_000, window), { state: 'resolved', count: 2 })
  t.match((await store.failureStates.scan(10)).occurrences, [{ failureId: id, release: 'second' }])
})

t.test('source maps uploaded after a manual merge do not undo it', async t => {
  for (const hasOthers of [false, true]) {
    await t.test(`with${hasOthers ? '' : 'out'} events that have no source maps`, async t => {
      const console = await sixpane(t)
      const first = await shop(t, 'first')
      await send(console, await first.bugEvent(unlabelled))
      await send(console, await first.bugEvent(negative))
      if (hasOthers) await send(console, { ...(await first.bugEvent(negative)), release: 'other' })
      const [one, other] = await storedFailures(console)
      await console.store.manualGrouping.merge(one?.id ?? '', other?.id ?? '')
      await console.upload(first)
      t.match(await storedFailures(console), [{ id: other?.id, count: hasOthers ? 3 : 2 }])
      t.equal((await storedFailures(console)).length, 1)
    })
  }
})

t.test('source maps uploaded after a manual split do not undo it, even after a restart', async t => {
  const console = await sixpane(t)
  const { store, maps, failures, signatures, logger } = console
  const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
  await send(console, await first.bugEvent(unlabelled))
  await send(console, await second.bugEvent(unlabelled))
  await console.upload(second)
  const [mapped, minified] = await storedFailures(console)
  await store.manualGrouping.merge(mapped?.id ?? '', minified?.id ?? '')
  t.equal((await storedFailures(console)).length, 1)
  t.equal(await store.manualGrouping.split(mapped?.id ?? ''), mapped?.id)
  await maps.add({ ...first, debugId: null, service: null })
  const restarted = startRegrouping({
    withScanLock: createMutex(),
    store,
    signatures,
    fingerprintEvents: failures.fingerprintEvents,
    logger,
    quietMs: 0,
    settleMs: 0,
  })
  t.teardown(() => restarted.stop())
  await restarted.wake()
  t.ok((await store.sourceMaps.list()).every(({ isApplied }) => isApplied))
  t.same(await storedFailures(console), [mapped, minified])
})

t.test('source maps without a service do not merge failures of services in other languages', async t => {
  const console = await sixpane(t)
  const first = await shop(t, 'first')
  for (const file of ['cart.py', 'user.py']) {
    const stack = `Traceback (most recent call last):\n  File "/app/${file}", line 5, in total\nValueError: bad`
    const exception = { type: 'ValueError', message: 'bad', stack }
    await send(console, anEvent({ service: 'api', release: 'first', timeMs: Date.now(), exception }))
  }
  const failures = await storedFailures(console)
  t.equal(failures.length, 2)
  await console.upload(first)
  t.same(await storedFailures(console), failures)
})

t.test('source maps that have not been applied are applied after a restart', async t => {
  const console = await sixpane(t)
  const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
  for (const each of [first, second]) {
    await send(console, await each.bugEvent(negative))
    await console.maps.add({ ...each, debugId: null, service: null })
  }
  const { store, failures, signatures, logger } = console
  const restarted = startRegrouping({
    withScanLock: createMutex(),
    store,
    signatures,
    fingerprintEvents: failures.fingerprintEvents,
    logger,
    quietMs: 0,
    settleMs: 0,
  })
  t.teardown(() => restarted.stop())
  await restarted.wake()
  t.match(await storedFailures(console), [{ releases: ['first', 'second'], count: 2 }])
  t.ok((await store.sourceMaps.list()).every(({ isApplied }) => isApplied))
})

t.test(
  'source maps that could not be applied are applied later, and only the first error is logged',
  async t => {
    const console = await sixpane(t)
    const { store, maps, failures, signatures } = console
    const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
    for (const each of [first, second]) {
      await send(console, await each.bugEvent(negative))
      await maps.add({ ...each, debugId: null, service: null })
    }
    let outages = 3
    const lines: string[] = []
    const log = (_: object | string, line?: string) => lines.push(line ?? String(_))
    const regrouping = startRegrouping({
      withScanLock: createMutex(),
      store: {
        ...store,
        async regroup(...args) {
          outages -= 1
          if (outages >= 0) throw new Error('Out')
          return store.regroup(...args)
        },
      },
      signatures,
      fingerprintEvents: failures.fingerprintEvents,
      logger: { error: log, info: log },
      retryMs: 1,
      settleMs: 0,
    })
    t.teardown(() => regrouping.stop())
    await until(async () => (await store.sourceMaps.list()).every(({ isApplied }) => isApplied))
    await regrouping.stop()
    t.match(await storedFailures(console), [{ releases: ['first', 'second'], count: 2 }])
    t.same(lines, [
      'Failed to regroup failures using uploaded source maps',
      'Resumed regrouping failures',
      'Regrouped failures using uploaded source maps',
    ])
  },
)

t.test(
  'events that another replica stores before it has read new source maps are also regrouped',
  async t => {
    const console = await sixpane(t)
    const { store, maps, failures, signatures, logger } = console
    const first = await shop(t, 'first')
    await maps.add({ ...first, debugId: null, service: null })
    let nowMs = Date.now()
    const regrouping = startRegrouping({
      withScanLock: createMutex(),
      store: { ...store, replicas: { ...store.replicas, delayMs: 3000 } },
      signatures,
      fingerprintEvents: failures.fingerprintEvents,
      logger,
      quietMs: 0,
      settleMs: 0,
      nowMs: () => nowMs,
    })
    t.teardown(() => regrouping.stop())
    await regrouping.wake()
    const bug = await first.bugEvent(negative)
    const late = { ...bug, fingerprint: bug.exception && failures.fingerprint(bug.exception) }
    await store.append([late])
    nowMs += 3000
    await regrouping.wake()
    const [mapped] = (await failures.fingerprintEvents([late])) ?? []
    const { events } = await store.events({ window, query: { kind: 'all' }, limit: 1 })
    t.equal(events[0]?.fingerprint, mapped?.fingerprint)
    t.ok((await store.sourceMaps.list()).every(({ isApplied }) => isApplied))
  },
)

t.test('source maps uploaded before the clock was set back are applied once', async t => {
  const console = await sixpane(t)
  const { store, maps, failures, signatures, logger } = console
  const first = await shop(t, 'first')
  await send(console, await first.bugEvent(negative))
  await maps.add({ ...first, debugId: null, service: null })
  const regrouping = startRegrouping({
    withScanLock: createMutex(),
    store,
    signatures,
    fingerprintEvents: failures.fingerprintEvents,
    logger,
    quietMs: 0,
    nowMs: () => Date.now() - 3_600_000,
  })
  t.teardown(() => regrouping.stop())
  await regrouping.wake()
  t.ok((await store.sourceMaps.list()).every(({ isApplied }) => isApplied))
})

t.test('events that waited in the queue during an upload of source maps are also regrouped', async t => {
  const console = await sixpane(t)
  const { store, maps, failures, signatures, logger } = console
  const first = await shop(t, 'first')
  const bug = await first.bugEvent(negative)
  const waiting = { ...bug, fingerprint: bug.exception && failures.fingerprint(bug.exception) }
  await maps.add({ ...first, debugId: null, service: null })
  const regrouping = startRegrouping({
    withScanLock: createMutex(),
    store,
    signatures,
    fingerprintEvents: failures.fingerprintEvents,
    logger,
    quietMs: 0,
    // Long enough for a busy machine to store the event.
    settleMs: 2000,
  })
  t.teardown(() => regrouping.stop())
  await regrouping.wake()
  await store.append([waiting])
  await until(async () => (await store.sourceMaps.list()).every(({ isApplied }) => isApplied))
  const [mapped] = (await failures.fingerprintEvents([waiting])) ?? []
  const { events } = await store.events({ window, query: { kind: 'all' }, limit: 1 })
  t.equal(events[0]?.fingerprint, mapped?.fingerprint)
})

t.test('states and notes survive an interruption of regrouping before or after any change', async t => {
  const changes = ['regroup', 'merge', 'markKnown', 'markApplied'] as const
  for (const [change, isDone] of changes.flatMap(each => [[each, false] as const, [each, true] as const])) {
    await t.test(`${isDone ? 'after' : 'before'} ${change}`, async t => {
      const console = await sixpane(t)
      const { store, failures, maps } = console
      const { failureStates, sourceMaps } = store
      const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
      await send(console, await first.bugEvent(unlabelled))
      await send(console, await second.bugEvent(negative))
      await send(console, { ...(await second.bugEvent(negative)), release: 'without source maps' })
      const rows = await storedFailures(console)
      const noted = rows.find(({ releases }) => releases.includes('first'))?.id ?? ''
      await failureStates.addNote(noted, { id: 'n', writtenMs: 1, text: 'Known' })
      await failureStates.setState(noted, 'muted', 6)
      for (const each of [first, second]) await maps.add({ ...each, debugId: null, service: null })

      const killed = new Error('killed')
      const killing = <Args extends unknown[], Result>(
        name: (typeof changes)[number],
        work: (...args: Args) => Promise<Result>,
      ) =>
        name !== change
          ? work
          : async (...args: Args): Promise<Result> => {
              if (isDone) await work(...args)
              throw killed
            }
      const errors: unknown[] = []
      const interrupted = startRegrouping({
        withScanLock: createMutex(),
        store: {
          ...store,
          regroup: killing('regroup', store.regroup),
          failureStates: {
            ...failureStates,
            merge: killing('merge', failureStates.merge),
            markKnown: killing('markKnown', failureStates.markKnown),
          },
          sourceMaps: { ...sourceMaps, markApplied: killing('markApplied', sourceMaps.markApplied) },
        },
        fingerprintEvents: failures.fingerprintEvents,
        signatures: console.signatures,
        logger: { info: () => {}, error: ({ err }: { err: unknown }) => errors.push(err) },
        quietMs: 0,
        settleMs: 0,
      })
      await interrupted.wake()
      await interrupted.stop()
      t.ok(errors.length > 0 && errors.every(error => error === killed))

      const restarted = startRegrouping({
        ...console,
        fingerprintEvents: failures.fingerprintEvents,
        quietMs: 0,
        settleMs: 0,
      })
      await restarted.wake()
      await restarted.stop()
      const [failure] = (await storedFailures(console)).filter(({ releases }) => releases.includes('first'))
      t.equal(failure?.id, noted)
      t.match(await store.failure(noted, 60_000, window), { state: 'muted', count: 1 })
      t.match(await failureStates.notes(noted), [{ text: 'Known' }])
      t.ok((await sourceMaps.list()).every(({ isApplied }) => isApplied))
    })
  }
})

t.test('returns the reason why a frame is not mapped', async t => {
  const console = await sixpane(t)
  const [first, second] = [await shop(t, 'first'), await shop(t, 'second')]
  const event = await first.bugEvent(unlabelled)
  const stack = event.exception?.stack ?? ''
  const reasons = async (from: Pick<NewEvent, 'service' | 'release' | 'attributes'> = event, text = stack) =>
    (await console.failures.frames(text, from)).map(({ unmapped }) => unmapped)
  const because = (reason: UnmappedReason, candidates: string[] = [], release: string | null = 'first') =>
    explainUnmapped({ reason, service: 'shop', release, candidates, positions: [] })
  const missing = because('missing')

  t.same(await reasons(), [missing, missing])
  await console.upload({ ...first, release: '1.0.1' })
  t.same((await reasons())[0], because('wrong-release', ['1.0.1']))
  t.same(
    (await reasons({ service: 'shop', release: null, attributes: {} }))[0],
    because('no-release', ['1.0.1'], null),
  )
  await console.upload({ ...second, release: 'first' })
  t.same((await reasons())[0], because('wrong-release', ['1.0.1']), 'the file has another name')
  const elsewhere = Buffer.from('{"version":3,"sources":["a.ts"],"mappings":";;;AAAA"}')
  await console.upload({ ...first, json: elsewhere })
  t.same(await reasons(), [because('not-in-map'), because('not-in-map')])
  const behind = Buffer.from(
    '{"version":3,"sources":["a.ts"],"sourcesContent":["one line"],"mappings":"AAEA"}',
  )
  await console.upload({ ...first, json: behind })
  t.same((await reasons())[0], because('not-in-map'))
  await console.upload(first)
  t.same(await reasons(), [null, null])
  t.same(await reasons(event, stack.replaceAll(/:\d+\)/g, ')')), [because('no-column'), because('no-column')])

  const reopened = await openServiceMaps({
    store: console.store.sourceMaps,
    limitBytes: 1e9,
    logger: console.logger,
  })
  console.memory.sourceMapContents.clear()
  const frame = { functionName: null, file: `https://h/${first.path}`, line: 1, column: 9, async: false }
  t.match(await reopened.map(frame, { service: 'shop', release: 'first', debugIds: new Map() }), {
    unmapped: { reason: 'broken' },
  })
})

t.test('a source map that could not be read is read again a minute later', async t => {
  const console = await sixpane(t)
  const first = await shop(t, 'first')
  await console.upload(first)
  const event = { ...(await first.bugEvent(unlabelled)), fingerprint: 'as sent' }
  const stack = event.exception?.stack ?? ''
  const { sourceMaps } = console.store
  // A map is read in three steps: the length of its directory, the directory and the source text.
  for (const failing of [1, 2, 3]) {
    let reads = 0
    const read: typeof sourceMaps.read = async (...part) => {
      reads += 1
      if (reads === failing) throw new Error('Too many open files')
      return sourceMaps.read(...part)
    }
    let timeMs = Date.now()
    const { logger } = console
    const options = { store: { ...sourceMaps, read }, limitBytes: 1e9, logger, nowMs: () => timeMs }
    const services = await openServiceMaps(options)
    const failures = createFailures({ build: console.build, services })
    const mapped = await console.failures.fingerprintEvents([event])
    t.notSame(await failures.fingerprintEvents([event]), mapped)
    const { version } = services
    t.equal(version(), 0, 'the caches of other services remain valid')
    timeMs += 60_000
    t.same(await failures.fingerprintEvents([event]), mapped)
    t.equal(version(), 1)
    t.same(await failures.frames(stack, event), await console.failures.frames(stack, event))
  }
})

t.test('another upload repairs a source map whose content is missing', async t => {
  const console = await sixpane(t)
  const { failures, memory, maps } = console
  const first = await shop(t, 'first')
  const upload = { ...first, debugId: null, service: null }
  await maps.add(upload)
  memory.sourceMapContents.clear()
  const event = { ...(await first.bugEvent(unlabelled)), fingerprint: 'as sent' }
  const stack = event.exception?.stack ?? ''
  const broken = await failures.fingerprintEvents([event])
  const corrupt = { unmapped: { word: 'source map is corrupt' } }
  t.match(await failures.frames(stack, event), [corrupt, corrupt])
  t.match(await maps.add(upload), { isNew: false })
  t.match(await failures.frames(stack, event), [{ unmapped: null }, { unmapped: null }])
  t.notSame(await failures.fingerprintEvents([event]), broken)
})

t.test('does not report missing maps for files that were not compiled', async t => {
  const console = await sixpane(t)
  for (const file of [
    '/app/src/cart.ts',
    '/app/src/server.js',
    'node:internal/process/task_queues',
    '/app/node_modules/fastify/dist/reply.js',
    'webpack-internal:///(rsc)/./app/page.js',
    '<anonymous>',
  ]) {
    const [frame] = await console.failures.frames(
      `Error: x\n    at f (${file}:3:7)`,
      anEvent({ release: '1' }),
    )
    t.equal(frame?.unmapped, null, file)
  }
  for (const stack of ['Error: x\n    at f (/app/.next/server/chunks/12.js:1:99)', 'f@https://h/a.js:1:9']) {
    t.match(await console.failures.frames(stack, anEvent({ release: '1' })), [
      { unmapped: { word: 'no source map' } },
    ])
  }
  const java = 'java.lang.Error: x\n\tat com.shop.Cart.total(Cart.java:3)'
  t.match(await console.failures.frames(java, anEvent({ release: '1' })), [{ unmapped: null }])
})

t.test('does not change frames that the runtime has already mapped', async t => {
  const console = await sixpane(t)
  const add = (path: string, source: string, mappings = 'AAAA') => {
    const map = { version: 3, sources: [source], sourcesContent: ['a'], mappings }
    const json = Buffer.from(JSON.stringify(map))
    return console.maps.add({ release: '1', path, debugId: null, service: null, json })
  }
  const at = (file: string, column = 7) =>
    console.failures.frames(`Error: x\n    at f (${file}:1:${column})`, anEvent({ release: '1' }))
  await add('dist/cart.js', '../src/cart.js')
  t.match(await at('/app/src/cart.js'), [{ file: '/app/src/cart.js', column: 7, unmapped: null }])
  t.match(await at('/app/dist/cart.js'), [{ file: 'src/cart.js', column: 1, unmapped: null }])
  // Column 1 of the file is column 7 of the source.
  await add('src/stock.js', '../../src/stock.js', 'AAAM')
  t.match(await at('/app/src/stock.js'), [{ file: '/app/src/stock.js', column: 7, unmapped: null }])
  t.match(await at('/app/dist/src/stock.js'), [{ file: 'src/stock.js', column: 7, unmapped: null }])
  t.match(
    await at('/var/task/src/stock.js', 1),
    [{ file: 'src/stock.js', column: 7, unmapped: null }],
    'a compiled file, because the source has no such position',
  )
  await add('server.js', '../server.js')
  t.match(await at('/app/server.js'), [{ file: 'server.js', column: 1, unmapped: null }], 'a copied bundle')
})

t.test('maps application code in a chunk that is named after a package', async t => {
  const console = await sixpane(t)
  const chunk = '.next/server/edge/chunks/node_modules_next_dist_f00d._.js'
  const stack = `Error: x\n    at f (/app/${chunk}:1:7)`
  t.match(await console.failures.frames(stack, anEvent({ release: '1' })), [{ inApp: false, unmapped: null }])
  const json = Buffer.from(
    '{"version":3,"sources":["app/route.js"],"sourcesContent":["a"],"mappings":"AAAA"}',
  )
  await console.maps.add({ release: '1', path: chunk, debugId: null, service: null, json })
  t.match(await console.failures.frames(stack, anEvent({ release: '1' })), [
    { file: 'app/route.js', line: 1, inApp: true, unmapped: null },
  ])
})

t.test(
  'does not map scripts of packages, browser extensions and runtimes, even if a map has the same file name',
  async t => {
    const console = await sixpane(t)
    const json = Buffer.from(
      '{"version":3,"sources":["app/client.js"],"sourcesContent":["a"],"mappings":"AAAA"}',
    )
    await console.maps.add({ release: '1', path: 'dist/client.js', debugId: null, service: null, json })
    for (const file of [
      '/app/node_modules/pg/lib/client.js',
      'C:\\app\\node_modules\\pg\\lib\\client.js',
      'chrome-extension://abc/client.js',
      'moz-extension://abc/client.js',
      'internal/modules/client.js',
    ]) {
      const stack = `Error: x\n    at f (${file}:1:7)`
      t.match(
        await console.failures.frames(stack, anEvent({ release: '1' })),
        [{ inApp: false, unmapped: null }],
        file,
      )
    }
  },
)

t.test('finds a map by debug id even if release and path differ', async t => {
  const console = await sixpane(t)
  const first = await shop(t, 'first')
  const id = '0b6a6d3f-47b5-4d17-a9f6-4ed2d2c8d5c4'
  const event = await first.bugEvent(unlabelled)
  const file = `https://shop.example/${first.path}`
  const named = { ...event, release: null, attributes: { debugIds: { [file]: id.toUpperCase() } } }
  await send(console, named)
  const json = Buffer.from(JSON.stringify({ ...JSON.parse(first.json.toString()), debugId: id }))
  await console.upload({ ...first, release: 'whatever', path: 'renamed.js', json })
  t.match(await console.failures.frames(event.exception?.stack ?? '', named), [
    { file: 'client/cart.ts', line: 6, code: { lines: cartSource.split('\n') } },
    {},
  ])
  const [before] = await storedFailures(console)
  await send(console, named)
  t.match(await storedFailures(console), [{ id: before?.id, count: 2 }])
})

t.test('stores equal maps once and rejects maps above the limit', async t => {
  const { store, logger } = await sixpane(t)
  const { release, path, json } = await shop(t, 'first')
  const maps = await openServiceMaps({ store: store.sourceMaps, limitBytes: 2000, logger })
  t.match(await maps.add({ release, path, debugId: null, service: null, json }), {
    isNew: true,
    map: { release, path },
  })
  t.match(await maps.add({ release, path, debugId: null, service: null, json }), { isNew: false })
  t.match(await maps.add({ release: 'other', path, debugId: null, service: null, json }), { isNew: true })
  const small = await openServiceMaps({ store: store.sourceMaps, limitBytes: 100, logger })
  await t.rejects(small.add({ release, path: 'x.js', debugId: null, service: null, json }), {
    name: 'SourceMapError',
  })
})

t.test('logs each release only once if its maps are deleted because of the limit', async t => {
  const { store } = await sixpane(t)
  const warnings: unknown[] = []
  const logger = { warn: (fields: unknown) => warnings.push(fields) }
  // The oldest maps are deleted, so no two have the same time.
  let now = Date.now()
  const maps = await openServiceMaps({ store: store.sourceMaps, limitBytes: 300, logger, nowMs: () => now++ })
  const json = Buffer.from('{"version":3,"sources":["a.ts"],"sourcesContent":["a"],"mappings":"AAAA"}')
  const add = (release: string, path: string) =>
    maps.add({ release, path, debugId: null, service: 'shop', json })
  for (const release of ['1', '2', '3']) for (const path of ['a.js', 'b.js']) await add(release, path)
  t.match(warnings, [{ release: '1', service: 'shop' }, { release: '2' }])
  t.equal(warnings.length, 2)
})

t.test('refresh finds maps that another replica has added', async t => {
  const { store, logger } = await sixpane(t)
  const limitBytes = 1e9
  const [here, there] = await Promise.all([
    openServiceMaps({ store: store.sourceMaps, limitBytes, logger }),
    openServiceMaps({ store: store.sourceMaps, limitBytes, logger }),
  ])
  t.equal(await here.refresh(), false)
  const { release, path, json } = await shop(t, 'first')
  await there.add({ release, path, service: null, debugId: null, json })
  const origin = { service: 'shop', release, debugIds: new Map() }
  t.equal(here.covers(origin), false)
  const version = here.version()
  t.equal(await here.refresh(), true)
  t.equal(here.covers(origin), true)
  t.not(here.version(), version)
  t.equal(await here.refresh(), false)
})

t.test(
  'adding a map does not read the list of all maps, unless the list may differ in another way',
  async t => {
    const { store, logger } = await sixpane(t)
    let lists = 0
    let meanwhile = async () => {}
    const sourceMaps: typeof store.sourceMaps = {
      ...store.sourceMaps,
      async list() {
        lists += 1
        const list = await store.sourceMaps.list()
        await meanwhile()
        return list
      },
    }
    let now = Date.now()
    const maps = await openServiceMaps({ store: sourceMaps, limitBytes: 1e9, logger, nowMs: () => now++ })
    const json = Buffer.from('{"version":3,"sources":["a.ts"],"sourcesContent":["a"],"mappings":"AAAA"}')
    const add = (release: string) => maps.add({ release, path: 'a.js', debugId: null, service: 'shop', json })
    const covers = (release: string) => maps.covers({ service: 'shop', release, debugIds: new Map() })
    const listed = async (work: () => Promise<unknown>) => {
      const before = lists
      await work()
      return lists - before
    }
    const version = maps.version()
    t.equal(await listed(() => add('1')), 0)
    t.not(maps.version(), version)
    t.ok(covers('1'))
    t.equal(await maps.refresh(), false)
    t.equal(await listed(() => add('1')), 1, 'the upload time of an earlier map changes')
    now -= 1_000
    t.equal(await listed(() => add('2')), 1, 'the map is not the newest')
    now += 2_000
    let adding: Promise<unknown> = Promise.resolve()
    meanwhile = async () => {
      meanwhile = async () => {}
      adding = add('3')
      await until(async () => (await store.sourceMaps.list()).length === 3)
    }
    await maps.refresh()
    await adding
    t.ok(['1', '2', '3'].every(covers), 'a map that is added while the list is read')
    t.equal(await maps.refresh(), false)
  },
)
