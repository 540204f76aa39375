import { randomUUID } from 'node:crypto'
import { Value } from 'typebox/value'
import { includesRole, type Role } from '../../../shared/user.ts'
import { createMutex } from '../common/mutex.ts'
import { maxUndos, type Undo, type UndoStore, undoSchema } from '../undo-store.ts'
import type { State } from './state.ts'

type Undos = Pick<State, 'undos'>

/** @param run runs work that reads or changes the undos */
export function undosOf(
  run: <T>(work: (state: Undos) => T) => Promise<T>,
  nowMs: () => number = Date.now,
): UndoStore {
  const exclusively = createMutex()
  return {
    async add(undo, role) {
      const id = randomUUID()
      await run(({ undos }) => {
        undos.set(id, { undo, role, addedMs: nowMs() })
        const ofRole = [...undos].filter(([, other]) => other.role === role)
        for (const [oldest] of ofRole.slice(0, -maxUndos)) undos.delete(oldest)
      })
      return id
    },
    has: (id, role) => run(state => find(state, id, role) !== null),
    undoOnce: (id, role, apply) =>
      exclusively(async () => {
        const undo = await run(state => find(state, id, role))
        if (undo === null) return null
        const undone = await apply(undo)
        await run(({ undos }) => void undos.delete(id))
        return undone
      }),
  }
}

/** Deletes undos that were added before a time. */
export function deleteUndosBefore({ undos }: Undos, beforeMs: number): void {
  for (const [id, { addedMs }] of undos) if (addedMs < beforeMs) undos.delete(id)
}

/** Returns `null` if the undo is missing, needs a higher role, or is of a kind that this version does not support. */
function find({ undos }: Undos, id: string, role: Role): Undo | null {
  const stored = undos.get(id)
  if (stored === undefined || !includesRole(role, stored.role)) return null
  return Value.Check(undoSchema, stored.undo) ? stored.undo : null
}
