import type { Logger } from '../../logger.ts'
import type { Store } from '../store.ts'
import { diskBytes } from './attach.ts'
import { facets, histogram, lastSeen } from './counts.ts'
import { openDatabase } from './database.ts'
import { eventById, eventsSince } from './event.ts'
import { failure, failureCount, failureReleases, failures, fingerprintOfDigest } from './failures.ts'
import { eventPage } from './page.ts'
import { requestKeys } from './request-keys.ts'
import { requestFigures, requestSeries, routeFigures } from './requests.ts'
import { readEvent, readRow, rowColumns } from './rows.ts'
import { createSavedSearches } from './saved-searches.ts'
import { services } from './services.ts'
import { sql } from './sql.ts'
import { createTokenStore } from './tokens.ts'
import { createWebhookStore } from './webhooks.ts'

export type DuckDbStoreOptions = { folder: string; logger?: Logger; nowMs?: () => number }

/**
 * Opens the store in a folder, and makes it where there is none.
 * @throws StoreUnavailableError when it can't be used; nothing is left behind then
 */
export async function openDuckDbStore({
  folder,
  logger,
  nowMs = Date.now,
}: DuckDbStoreOptions): Promise<Store> {
  const { segments, workspace, append, reading, retain, close } = await openDatabase(folder, nowMs)
  const held = () => segments.all().reduce((sum, segment) => sum + segment.events, 0)
  logger?.info({ folder, segments: segments.all().length, events: held() }, 'Opened the store')

  return {
    append: (events, requestKeys = []) => append(events, requestKeys),
    requestKeys: limit => reading(undefined, source => requestKeys(source, limit)),
    events: (question, signal) =>
      reading(signal, source => eventPage(source, question, { columns: rowColumns, read: readRow })),
    wholeEvents: (question, signal) =>
      reading(signal, source => eventPage(source, question, { columns: sql`*`, read: readEvent })),
    event: (id, signal) => reading(signal, source => eventById(source, id)),
    async since(afterId, query, limit, signal) {
      const newestId = segments.active().lastId
      if (afterId === null) return { events: [], lastId: newestId }
      const events = await reading(signal, source => eventsSince(source, afterId, query, limit))
      const last = events.at(-1)?.id ?? afterId
      return { events, lastId: events.length < limit ? Math.max(last, newestId) : last }
    },
    histogram: (filter, bucketMs, signal) => reading(signal, source => histogram(source, filter, bucketMs)),
    facets: (filter, fields, limit, signal) =>
      reading(signal, source => facets(source, filter, fields, limit)),
    services: (window, bucketMs, signal) => reading(signal, source => services(source, window, bucketMs)),
    lastSeen: signal => reading(signal, lastSeen),
    requestSeries: (filter, bucketMs, signal) =>
      reading(signal, source => requestSeries(source, filter, bucketMs)),
    requestFigures: (filter, signal) => reading(signal, source => requestFigures(source, filter)),
    routeFigures: (filter, limit, signal) => reading(signal, source => routeFigures(source, filter, limit)),
    failures: (question, signal) => reading(signal, source => failures(source, question)),
    failureCount: (window, signal) => reading(signal, source => failureCount(source, window)),
    failure: (fingerprint, bucketMs, window, signal) =>
      reading(signal, source => failure(source, fingerprint, bucketMs, window)),
    failureReleases: (fingerprint, signal) => reading(signal, source => failureReleases(source, fingerprint)),
    fingerprintOfDigest: (digest, signal) => reading(signal, source => fingerprintOfDigest(source, digest)),
    async stats() {
      const bytes = await Promise.all([...segments.all(), workspace].map(diskBytes))
      const oldestUs = Math.min(...segments.all().map(({ fromUs }) => fromUs))
      return {
        events: held(),
        diskBytes: bytes.reduce((sum, size) => sum + size, 0),
        oldestMs: Number.isFinite(oldestUs) ? oldestUs / 1000 : null,
      }
    },
    savedSearches: createSavedSearches(workspace),
    webhooks: createWebhookStore(workspace),
    tokens: createTokenStore(workspace, nowMs),
    retain,
    close,
  }
}
