import { maxAuditEntries } from '../audit-store.ts'
import { compareText } from '../common/compare-text.ts'
import type { NewSourceMap, PutResult, SourceMapHeader } from '../source-map-store.ts'
import type { WorkspaceStore } from '../workspace-store.ts'
import type { AccessState, State } from './state.ts'
import { removeToken, tokensWithUses } from './token-uses.ts'
import { webhooksOf } from './webhooks.ts'

/**
 * All of `WorkspaceStore` except the contents of source maps, the token cache and the undos.
 * @param read runs work that may miss what other replicas have changed since the last `Replicas.refresh`
 */
export function workspaceOf(
  run: AccessState,
  read: AccessState,
): Omit<WorkspaceStore, 'sourceMaps' | 'tokens' | 'undos'> & {
  sourceMaps: Pick<WorkspaceStore['sourceMaps'], 'list' | 'markApplied'>
  tokens: Omit<WorkspaceStore['tokens'], 'byHash'>
} {
  return {
    savedSearches: {
      list: () =>
        read(({ savedSearches }) =>
          [...savedSearches.values()].sort(
            (a, b) => compareText(a.name.toLowerCase(), b.name.toLowerCase()) || compareText(a.name, b.name),
          ),
        ),
      save: search =>
        run(({ savedSearches }) => {
          for (const { id, name } of savedSearches.values())
            if (name === search.name) savedSearches.delete(id)
          savedSearches.set(search.id, search)
        }),
      remove: id => run(({ savedSearches }) => void savedSearches.delete(id)),
    },
    sourceMaps: {
      list: () => run(sourceMapHeaders),
      markApplied: ids =>
        run(({ sourceMaps, appliedSourceMaps }) => {
          for (const id of ids) if (sourceMaps.has(id)) appliedSourceMaps.set(id, true)
        }),
    },
    webhooks: webhooksOf(run),
    tokens: {
      list: () =>
        run(state =>
          [...tokensWithUses(state).values()].sort(
            (a, b) => a.createdMs - b.createdMs || compareText(a.name, b.name) || compareText(a.id, b.id),
          ),
        ),
      add: (token, hash) =>
        run(({ tokens }) => {
          const scopes = [...token.scopes]
          const services = token.services && [...token.services]
          tokens.set(token.id, { ...token, scopes, services, hash, usedMs: null })
        }),
      remove: id => run(state => removeToken(state, id)),
      recordUse: usedMs =>
        run(state => {
          const stored = tokensWithUses(state)
          for (const [id, ms] of usedMs) {
            const token = stored.get(id)
            if (token !== undefined && ms > (token.usedMs ?? 0)) state.tokenUses.set(id, ms)
          }
        }),
    },
    endedSessions: {
      end: (id, untilMs) => run(({ endedSessions }) => void endedSessions.set(id, untilMs)),
      ended: nowMs =>
        run(({ endedSessions }) => {
          for (const [id, untilMs] of endedSessions) if (untilMs <= nowMs) endedSessions.delete(id)
          return [...endedSessions.keys()].sort()
        }),
    },
    audit: {
      add: entry =>
        run(({ audit }) => {
          audit.set(entry.id, entry)
          for (const id of audit.keys()) {
            if (audit.size <= maxAuditEntries) break
            audit.delete(id)
          }
        }),
      list: limit =>
        run(({ audit }) =>
          [...audit.values()]
            .reverse()
            .sort((a, b) => b.atMs - a.atMs)
            .slice(0, limit),
        ),
    },
    settings: {
      list: () => run(({ settings }) => [...settings.values()].sort((a, b) => compareText(a.name, b.name))),
      save: (changes, changedMs) =>
        run(({ settings }) => {
          for (const { name, value } of changes) {
            if (value === null) settings.delete(name)
            else settings.set(name, { name, value, changedMs })
          }
        }),
    },
  }
}

/** Oldest first. */
function sourceMapHeaders({
  sourceMaps,
  appliedSourceMaps,
}: Pick<State, 'sourceMaps' | 'appliedSourceMaps'>): SourceMapHeader[] {
  const headers = [...sourceMaps.values()].map(header => ({
    ...header,
    isApplied: header.isApplied || appliedSourceMaps.has(header.id),
  }))
  return headers.sort((a, b) => a.uploadedMs - b.uploadedMs || compareText(a.id, b.id))
}

/**
 * Adds a source map, and deletes the oldest other maps until the total size is within the limit. If the id exists, only
 * updates the upload time.
 */
export function putSourceMap(
  state: State,
  map: NewSourceMap,
  sizeBytes: number,
  limitBytes: number,
): PutResult {
  const existing = state.sourceMaps.get(map.id)
  if (existing !== undefined) {
    state.sourceMaps.set(map.id, { ...existing, uploadedMs: map.uploadedMs })
    return { isNew: false, deleted: [] }
  }
  state.sourceMaps.set(map.id, { ...map, sizeBytes, isApplied: false })
  // Another replica may have marked an earlier map with this id as applied after that map was deleted.
  state.appliedSourceMaps.delete(map.id)
  let bytes = 0
  for (const header of state.sourceMaps.values()) bytes += header.sizeBytes
  // Sorting all headers for each map of a large upload would take seconds.
  if (bytes <= limitBytes) return { isNew: true, deleted: [] }
  const deleted: SourceMapHeader[] = []
  for (const header of sourceMapHeaders(state)) {
    if (bytes <= limitBytes) break
    if (header.id === map.id) continue
    state.sourceMaps.delete(header.id)
    state.appliedSourceMaps.delete(header.id)
    deleted.push(header)
    bytes -= header.sizeBytes
  }
  return { isNew: true, deleted }
}
