import type { LogEvent } from '../../../shared/event.ts'
import { hourOfId, type IdRange } from '../common/accepted-hour.ts'
import { groupBy } from '../common/group-by.ts'
import { increasingIds, planImport } from '../common/import-plan.ts'
import type { AccessState } from '../state/state.ts'
import { sharedStateOf } from '../state/token-uses.ts'
import type { TransferStore } from '../transfer-store.ts'
import type { Memory, Run } from './memory.ts'

export function memoryTransfer(memory: Memory, run: Run, access: AccessState): TransferStore {
  return {
    acceptedHours: signal =>
      run(signal, () =>
        groupBy(memory.events, ({ id }) => hourOfId(id)).map(([{ id }, events]) => ({
          startMs: hourOfId(id),
          events: events.length,
        })),
      ),
    pageEnds: (ids, size, signal) =>
      run(signal, () => {
        const ordered = memory.events.filter(isIn(ids))
        return ordered.filter((_, index) => (index + 1) % size === 0).map(({ id }) => id)
      }),
    eventsInIds: (ids, signal) => run(signal, () => structuredClone(memory.events.filter(isIn(ids)))),
    importEvents: events =>
      run(undefined, () => {
        increasingIds(events)
        const fingerprints = new Map(memory.events.map(({ id, fingerprint }) => [id, fingerprint]))
        const { missing, regrouped } = planImport(events, fingerprints)
        const changed = new Map(regrouped.map(event => [event.id, event]))
        for (const event of memory.events) {
          event.fingerprint = (changed.get(event.id) ?? event).fingerprint
        }
        memory.events.push(...structuredClone(missing))
        memory.events.sort((a, b) => a.id - b.id)
        memory.lastId = Math.max(memory.lastId, memory.events.at(-1)?.id ?? 0)
        return { stored: missing.length, regrouped: regrouped.length }
      }),
    sharedState: sharedStateOf(access),
  }
}

function isIn({ afterId, upToId }: IdRange): (event: LogEvent) => boolean {
  return ({ id }) => id > afterId && id <= upToId
}
