import { randomUUID } from 'node:crypto'
import type { Preferences } from '../shared/preferences.ts'
import { includesRole, type Role } from '../shared/user.ts'

const maxUndos = 200

/** Reverses a change. Resolves to preferences that must be stored in the visitor's cookie. */
export type Undo = () => Promise<{ preferences?: Preferences }>

/** The latest changes that can be undone. */
export type Undos = {
  /** Returns an id that cannot be guessed. Pages and URLs contain only this id. Users without the role can't undo the change. */
  add(undo: Undo, role: Role): string
  /** Whether users with this role can undo the change. */
  has(id: string, role: Role): boolean
  /** Returns a change only once, so that a second click does not undo a later change. */
  take(id: string, role: Role): Undo | undefined
}

/** Remembers changes in memory, because what was removed may be secret. After a restart, none can be undone. */
export function createUndos(): Undos {
  const undos = new Map<string, { undo: Undo; role: Role }>()
  const findFor = (id: string, role: Role) => {
    const found = undos.get(id)
    return found !== undefined && includesRole(role, found.role) ? found : undefined
  }
  return {
    add(undo, role) {
      const id = randomUUID()
      undos.set(id, { undo, role })
      const [oldest] = undos.keys()
      if (undos.size > maxUndos && oldest !== undefined) undos.delete(oldest)
      return id
    },
    has: (id, role) => findFor(id, role) !== undefined,
    take(id, role) {
      const found = findFor(id, role)
      if (found !== undefined) undos.delete(id)
      return found?.undo
    },
  }
}
