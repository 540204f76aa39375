import { type Static, Type } from 'typebox'
import type { Role } from '../../shared/user.ts'
import { stateSnapshot } from './failure-record.ts'
import { collections } from './state/collections.ts'

const { webhooks: webhook, savedSearches: search } = collections

/**
 * The schema of an undo, which reverses a change. It contains whole former values instead of differences, so undoing a change
 * twice has the same result as undoing it once. `after` is the value after the change; undos from earlier versions lack it.
 */
export const undoSchema = Type.Union([
  Type.Object({ kind: Type.Literal('restore states'), states: stateSnapshot }),
  /** The former values of the preferences that changed, as in the form on /settings. */
  Type.Object({
    kind: Type.Literal('restore preferences'),
    former: Type.Record(Type.String(), Type.String()),
  }),
  /** The former value of a setting, as text. */
  Type.Object({
    kind: Type.Literal('restore setting'),
    name: Type.String(),
    value: Type.String(),
    after: Type.Optional(Type.String()),
  }),
  Type.Object({ kind: Type.Literal('change webhook'), webhook, after: Type.Optional(webhook) }),
  Type.Object({ kind: Type.Literal('add webhook'), webhook }),
  Type.Object({ kind: Type.Literal('save search'), search }),
])

export type Undo = Static<typeof undoSchema>

/** The latest changes that can be undone. An undo may contain secrets, such as the signing key of a removed webhook. */
export type UndoStore = {
  /** Stores an undo. Returns an unguessable id, for pages and URLs. Only users with the role can undo the change. */
  add(undo: Undo, role: Role): Promise<string>
  /** Whether users with this role can undo the change. */
  has(id: string, role: Role): Promise<boolean>
  /**
   * Undoes a change by calling `apply`. Then deletes the undo, so that a second click does not undo a later change. If `apply`
   * rejects, the change can still be undone. Returns `null` if users with this role cannot undo the change. If several
   * replicas undo a change at the same time, each of them may call `apply`.
   */
  undoOnce<T>(id: string, role: Role, apply: (undo: Undo) => Promise<T>): Promise<T | null>
}

/** The number of recent changes per role that can be undone. Viewers therefore cannot displace administrators' changes. */
export const maxUndos = 200
