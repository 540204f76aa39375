import type { AccessState } from '../state/state.ts'
import { deleteUndosBefore } from '../state/undos.ts'
import type { Engine } from './engine/engine.ts'

/** What was removed may be secret, so the database contains it no longer than an hour. */
const maxAgeMs = 3_600_000

/** Deletes older undos before each access. */
export function accessRecentUndos({ access }: Pick<Engine, 'access'>, nowMs: () => number): AccessState {
  return (work, signal) =>
    access(state => {
      deleteUndosBefore(state, nowMs() - maxAgeMs)
      return work(state)
    }, signal)
}
