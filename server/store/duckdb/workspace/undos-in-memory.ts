import { emptyState } from '../../state/state.ts'
import { undosOf } from '../../state/undos.ts'
import type { UndoStore } from '../../undo-store.ts'

/** Stores undos only in memory, because removed values may be secret. After a restart, no earlier change can be undone. */
export function undosInMemory(): UndoStore {
  const state = emptyState()
  return undosOf(async work => work(state))
}
