import { deepStrictEqual } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { packUpload } from '../../server/source-maps/pack-upload.ts'
import { anEvent } from '../../server/store/conformance/testing.ts'
import { readEverything, writtenMs } from '../../server/store/duckdb/fixtures/contents.ts'
import { unpack } from '../../server/store/duckdb/fixtures/unpack.ts'
import { openDuckDbStore } from '../../server/store/duckdb/store.ts'
import type { FailureRow } from '../../shared/failure.ts'
import { type StartedServer, startServer } from '../test/server.ts'

/** A situation with several points at which a server is killed. Each kill uses a new copy of the prepared store. */
export type Scenario = {
  name: string
  env?: Record<string, string>
  points: readonly Point[]
  /** Returns the messages that must be stored exactly once after a kill. */
  prepare(folder: string): Promise<string[]>
  /**
   * Makes a server reach a kill point, unless it reaches the point during startup. Returns the messages that were
   * acknowledged before the kill.
   */
  use?(server: StartedServer): Promise<string[]>
  /** Checks the store after the kill. Throws if something is wrong. */
  checkKilled?(folder: string): Promise<void>
  /** Checks the store after a restarted server has used it. */
  checkRestarted?(folder: string): Promise<void>
}

/** See kill-at.mjs. */
export type Point = { when: 'before' | 'after'; at: readonly string[] }

export const service = 'points'
const dayMs = 86_400_000

const before = (...at: string[]): Point => ({ when: 'before', at })
const after = (...at: string[]): Point => ({ when: 'after', at })
const around = (...at: string[]) => [before(...at), after(...at)]

const batch: Scenario = {
  name: 'batch',
  points: [
    ...around('flush', 'flush', 'flush', 'flush'),
    ...around('flush', 'flush', 'flush', 'flush', '^COMMIT'),
  ],
  prepare: async () => [],
  use: sendUntilKilled,
}

const checkpoint: Scenario = {
  name: 'checkpoint',
  points: [
    ...around('^CHECKPOINT events_'),
    ...around('^DETACH events_'),
    ...around('^CHECKPOINT workspace'),
    ...around('^DETACH workspace'),
  ],
  prepare: async () => [],
  async use(server) {
    const messages = await send(server, 'before the checkpoint')
    await server.stop()
    return messages
  },
}

/** Startup attaches the stored segment, and the first request attaches the next one. */
const attachSegment = ['^ATTACH .*/events-', '^ATTACH .*/events-']
const rotation: Scenario = {
  name: 'segment rotation',
  points: [
    ...around(...attachSegment),
    ...around(...attachSegment, '^CREATE TABLE event'),
    ...around(...attachSegment, '^COMMIT'),
    ...around(...attachSegment, '^CHECKPOINT events_'),
  ],
  prepare: folder => storeAt(folder, -2 * dayMs),
  use: sendUntilKilled,
}

const retention: Scenario = {
  name: 'retention',
  env: { SIXPANE_RETENTION_DAYS: '1' },
  points: [
    ...around('^DETACH events_'),
    ...around('^rm .*/events-\\d+.duckdb$'),
    ...around('^rm .*/events-\\d+.duckdb.wal$'),
    ...around('^DELETE FROM events_\\d+.request'),
  ],
  async prepare(folder) {
    await storeAt(folder, -3 * dayMs)
    return storeAt(folder, 0)
  },
}

const partialRetention: Scenario = {
  name: 'retention in a segment',
  env: { SIXPANE_RETENTION_DAYS: '1' },
  points: around('^DELETE FROM events_\\d+.event'),
  prepare: folder =>
    withServer(folder, async server => {
      await server.send({ name: service, msg: 'expired', time: Date.now() - 3 * dayMs })
      return send(server, 'recent')
    }),
}

const fixture = 'segment-2-workspace-2'
const contents = new URL(`../../server/store/duckdb/fixtures/${fixture}/contents.json`, import.meta.url)
const migration: Scenario = {
  name: 'migration',
  env: { SIXPANE_RETENTION_DAYS: '36500' },
  points: [
    ...around('^ALTER TABLE source_map'),
    ...around('^INSERT INTO failure_fingerprint'),
    ...around('^DROP TABLE failure_move'),
    ...around('^INSERT INTO layout', '^COMMIT'),
  ],
  async prepare(folder) {
    unpack(fixture, folder)
    return []
  },
  async checkKilled(folder) {
    const expected: unknown = JSON.parse(await readFile(contents, 'utf8'))
    const store = await openDuckDbStore({ folder, nowMs: () => writtenMs })
    try {
      deepStrictEqual(JSON.parse(JSON.stringify(await readEverything(store))), expected)
      // The next server must not deliver anything to the webhooks.
      for (const { id } of await store.webhooks.list()) await store.webhooks.remove(id)
    } finally {
      await store.close()
    }
  },
}

const release = '1.0.0'
const map = { version: 3, sources: ['cart.ts'], sourcesContent: ['cart'], names: [], mappings: 'AAAA' }
const checkNotes = (folder: string) =>
  withStoppedStore(folder, async (store, failures) => {
    const notes = await store.failureStates.notes(failures[0]?.id ?? '')
    deepStrictEqual(
      failures.map(({ state }) => state),
      ['muted'],
    )
    deepStrictEqual(
      notes.map(({ text }) => text),
      ['Known'],
    )
  })
const sourceMaps: Scenario = {
  name: 'late source maps',
  points: [
    ...around('^UPDATE workspace.failure_fingerprint', '^COMMIT'),
    ...around('^UPDATE events_\\d+.event SET fingerprint'),
    ...around('^UPDATE workspace.source_map', '^COMMIT'),
  ],
  async prepare(folder) {
    const stack = 'Error: no price\n    at t (https://shop.example/main.js:1:1)'
    await withServer(folder, server =>
      server.send({
        name: service,
        version: release,
        msg: 'thrown',
        err: { type: 'Error', message: 'no price', stack },
      }),
    )
    await withStoppedStore(folder, async (store, [failure]) => {
      await store.failureStates.addNote(failure?.id ?? '', { id: 'note', writtenMs: 1, text: 'Known' })
      await store.failureStates.setState(failure?.id ?? '', 'muted', 1)
      // Old enough for the next server to mark it as applied on startup instead of a minute later.
      const uploadedMs = Date.now() - 600_000
      const target = { release, path: 'main.js', service: null, debugId: null }
      const { id, content } = await packUpload({ ...target, json: Buffer.from(JSON.stringify(map)) })
      await store.sourceMaps.put({ ...target, id, uploadedMs }, content, 1e6)
    })
    return ['thrown']
  },
  checkKilled: checkNotes,
  checkRestarted: checkNotes,
}

export const scenarios = [batch, checkpoint, rotation, retention, partialRetention, migration, sourceMaps]

type Store = Awaited<ReturnType<typeof openDuckDbStore>>

/** Opens the store of a stopped server. */
async function withStoppedStore(
  folder: string,
  work: (store: Store, failures: FailureRow[]) => Promise<void>,
): Promise<void> {
  const store = await openDuckDbStore({ folder })
  try {
    const window = { fromMs: Date.now() - dayMs, toMs: Date.now() + dayMs }
    const query = {
      window,
      bucketMs: dayMs,
      sort: 'newest',
      state: null,
      service,
      text: null,
      limit: 9,
    } as const
    await work(store, (await store.failures(query)).failures)
  } finally {
    await store.close()
  }
}

async function withServer<T>(folder: string, work: (server: StartedServer) => Promise<T>): Promise<T> {
  const server = await startServer({}, { folder })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

async function send(server: StartedServer, ...messages: string[]): Promise<string[]> {
  await server.send(...messages.map(msg => ({ name: service, msg })))
  return messages
}

/** Stores an event and its request key, as a server would if its clock differed by `offsetMs`. */
async function storeAt(folder: string, offsetMs: number): Promise<string[]> {
  const nowMs = () => Date.now() + offsetMs
  const message = `at ${offsetMs}`
  const store = await openDuckDbStore({ folder, nowMs })
  try {
    await store.append([anEvent({ timeMs: nowMs(), service, body: message })], [message])
  } finally {
    await store.close()
  }
  return [message]
}

async function sendUntilKilled(server: StartedServer): Promise<string[]> {
  const acknowledged: string[] = []
  for (let index = 0; ; index += 1) {
    const sent = await send(server, `until killed ${index}`).catch(() => null)
    if (sent === null) return acknowledged
    acknowledged.push(...sent)
  }
}
