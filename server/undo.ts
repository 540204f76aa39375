import { randomUUID } from 'node:crypto'
import type { Preferences } from '../shared/preferences.ts'

const maxUndos = 200

/** Reverses a change. Resolves to preferences that must be stored in the visitor's cookie. */
export type Undo = () => Promise<{ preferences?: Preferences }>

/** The latest changes that can be undone. */
export type Undos = {
  /** Returns an id that cannot be guessed. Pages and URLs contain only this id. */
  add(undo: Undo): string
  has(id: string): boolean
  /** Returns a change only once, so that a second click does not undo a later change. */
  take(id: string): Undo | undefined
}

/** Remembers changes in memory, because what was removed may be secret. After a restart, none can be undone. */
export function createUndos(): Undos {
  const undos = new Map<string, Undo>()
  return {
    add(undo) {
      const id = randomUUID()
      undos.set(id, undo)
      const [oldest] = undos.keys()
      if (undos.size > maxUndos && oldest !== undefined) undos.delete(oldest)
      return id
    },
    has: id => undos.has(id),
    take(id) {
      const undo = undos.get(id)
      undos.delete(id)
      return undo
    },
  }
}
