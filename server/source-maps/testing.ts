import type { Test } from 'tap'
import type { NewEvent } from '../../shared/event.ts'
import { createEvents } from '../events/queue.ts'
import { createFailures } from '../failures/failures.ts'
import { startRegrouping } from '../failures/regroup.ts'
import { createSignatures } from '../failures/signatures.ts'
import { createMutex } from '../store/common/mutex.ts'
import { emptyMemory } from '../store/memory/memory.ts'
import { openMemoryStore } from '../store/memory/store.ts'
import type { Upload } from './pack-upload.ts'
import { openServiceMaps } from './service-maps.ts'

/** Creates the modules that store events, map their stacks and group them into failures, with a new store. */
export async function sixpane(t: Test) {
  const memory = emptyMemory()
  const fail = (problem: object) => t.fail('A problem was logged', problem)
  const logger = { error: fail, warn: fail, info: () => {} }
  const store = openMemoryStore({ memory })
  const maps = await openServiceMaps({ store: store.sourceMaps, limitBytes: 1e9, logger })
  const build = {
    mapsFolder: '/nowhere/dist/maps',
    chunks: [],
    serverFiles: [],
    version: 'own',
  }
  const failures = createFailures({ build, services: maps })
  const events = createEvents({ store, logger, fingerprintEvents: failures.fingerprintEvents })
  const signatures = createSignatures({ store, failures })
  const withScanLock = createMutex()
  const regrouping = startRegrouping({
    store,
    fingerprintEvents: failures.fingerprintEvents,
    withScanLock,
    signatures,
    logger,
    quietMs: 0,
    settleMs: 0,
  })
  t.teardown(async () => {
    await regrouping.stop()
    await events.close()
    await store.close()
  })
  const upload = async (given: Pick<Upload, 'release' | 'path' | 'json'> & Partial<Upload>) => {
    const { release, path, service = null, debugId = null, json } = given
    const { isNew } = await maps.add({ release, path, service, debugId, json })
    if (isNew) await regrouping.wake()
  }
  return { memory, logger, store, maps, build, failures, withScanLock, signatures, events, upload }
}
export type Sixpane = Awaited<ReturnType<typeof sixpane>>

export const window = { fromMs: Date.now() - 3_600_000, toMs: Date.now() + 3_600_000 }

/** Stores an event as the ingest endpoints do. */
export async function send({ failures, events }: Sixpane, event: NewEvent) {
  const fingerprint = event.exception && failures.fingerprint(event.exception)
  await events.accept([{ ...event, fingerprint }], 1000)
}
