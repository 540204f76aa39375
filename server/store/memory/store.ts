import { createQueryCounter } from '../common/query-counter.ts'
import { onlyReplica } from '../replicas.ts'
import type { AccessState } from '../state/state.ts'
import { type Store, StoreUnavailableError } from '../store.ts'
import { memoryEvents } from './events.ts'
import { memoryFailures } from './failures.ts'
import { emptyMemory, type Memory, type Run } from './memory.ts'
import { sizeBytes } from './retain.ts'
import { memoryTransfer } from './transfer.ts'
import { memoryWorkspace } from './workspace.ts'

/**
 * An in-memory store for tests. Queries scan arrays.
 * @param options.memory the contents of a closed store to reopen
 */
export function openMemoryStore(options: { memory?: Memory; nowMs?: () => number } = {}): Store {
  const { memory = emptyMemory(), nowMs = Date.now } = options
  const counter = createQueryCounter()
  let isClosed = false

  const run: Run = async (signal, query) => {
    if (isClosed) throw new StoreUnavailableError('The store is closed')
    signal?.throwIfAborted()
    return counter.measure(async () => {
      const result = query()
      // Lets the caller abort a running query.
      await new Promise(setImmediate)
      signal?.throwIfAborted()
      return result
    })
  }

  const access: AccessState = (work, signal) => run(signal, () => work(memory.state))

  return {
    ...memoryEvents(memory, run, nowMs),
    ...memoryFailures(memory, run, access),
    ...memoryWorkspace(memory, access),
    ...memoryTransfer(memory, run, access),
    limitedTo(services) {
      const limited: Memory = {
        ...memory,
        get events() {
          return memory.events.filter(({ service }) => services.includes(service))
        },
        get lastId() {
          return memory.lastId
        },
      }
      return { ...memoryEvents(limited, run, nowMs), ...memoryFailures(limited, run, access) }
    },
    replicas: onlyReplica,
    check: () => run(undefined, () => {}),
    stats: async () => ({
      events: memory.events.length,
      diskBytes: sizeBytes(memory.events),
      oldestMs: memory.events.length === 0 ? null : Math.min(...memory.events.map(({ timeMs }) => timeMs)),
      damagedFiles: [],
      ...counter.totals(),
    }),
    async close() {
      isClosed = true
    },
  }
}
