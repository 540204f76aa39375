import type { AccessState } from '../state/state.ts'
import { deleteUndosBefore } from '../state/undos.ts'
import type { Engine } from './engine/engine.ts'

/** An undo may contain a removed secret, so the database stores undos for an hour at most. */
const maxAgeMs = 3_600_000

/** Deletes undos older than `maxAgeMs` before each access. */
export function accessRecentUndos({ access }: Pick<Engine, 'access'>, nowMs: () => number): AccessState {
  return (work, signal) =>
    access(state => {
      deleteUndosBefore(state, nowMs() - maxAgeMs)
      return work(state)
    }, signal)
}
