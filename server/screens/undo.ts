import { isDeepStrictEqual } from 'node:util'
import { type Preferences, parsePreferences, serializePreferences } from '../../shared/preferences.ts'
import type { Context } from '../context.ts'
import { formatSettings, problemOf, runtimeKeyOf } from '../settings/runtime-settings.ts'
import type { Undo } from '../store/undo-store.ts'
import type { ScreenRequest } from './screen.ts'
import { conflictOf } from './settings/webhook-form.ts'

/** Returns the undo id from a URL, or `null` if there is none or the visitor can't undo that change. */
export async function undoIdOf(
  { params, user }: Pick<ScreenRequest, 'params' | 'user'>,
  { store }: Pick<Context, 'store'>,
): Promise<string | null> {
  const id = params.get('undo') ?? ''
  return id !== '' && (await store.undos.has(id, user.role)) ? id : null
}

/**
 * Undoes the change with the id in the form. Records the undo in the audit log, unless it restores preferences. Returns
 * `null` if the change can't be undone; otherwise an object with the preferences to store in the visitor's cookie, if there
 * are any.
 */
export async function undoChange(
  form: URLSearchParams,
  { user, preferences }: Pick<ScreenRequest, 'user' | 'preferences'>,
  context: Pick<Context, 'store' | 'settings' | 'audit'>,
): Promise<{ preferences?: Preferences } | null> {
  return context.store.undos.undoOnce(form.get('undo') ?? '', user.role, async undo => {
    const undone = await apply(undo, preferences, context)
    const entry = entryOf(undo)
    if (undone !== null && entry !== null) await context.audit.record(user, ...entry)
    return undone
  })
}

/** Returns the entry for the audit log, or `null` for preferences, because they affect only the visitor. */
function entryOf(undo: Undo): [action: string, details?: string] | null {
  switch (undo.kind) {
    case 'restore states':
      return ['Undid a change to failures', undo.states.map(({ id }) => id).join(', ')]
    case 'restore preferences':
      return null
    case 'restore setting':
      return ['Undid a change', undo.name]
    case 'change webhook':
    case 'add webhook':
      return ['Undid a change', undo.webhook.name]
    case 'save search':
      return ['Restored a saved search', undo.search.name]
  }
}

async function apply(
  undo: Undo,
  preferences: Preferences,
  { store, settings }: Pick<Context, 'store' | 'settings'>,
): Promise<{ preferences?: Preferences } | null> {
  switch (undo.kind) {
    case 'restore states':
      await store.failureStates.restoreStates(undo.states)
      return {}
    case 'restore preferences': {
      const params = new URLSearchParams(serializePreferences(preferences))
      for (const [name, value] of Object.entries(undo.former)) params.set(name, value)
      return { preferences: parsePreferences(params.toString()) }
    }
    case 'restore setting': {
      const key = runtimeKeyOf(undo.name)
      // The change may come from a replica that runs another version and supports other settings or values.
      if (key === undefined || problemOf(key, undo.value) !== null) return null
      if (wouldDiscard(formatSettings(settings.current())[key], undo.value, undo.after)) return null
      await settings.save({ [key]: undo.value })
      return {}
    }
    case 'change webhook':
    case 'add webhook': {
      const { id, name } = undo.webhook
      const existing = await store.webhooks.list()
      const stored = existing.find(each => each.id === id)
      const isStored = stored !== undefined
      // A webhook that was removed after the change stays removed.
      if (undo.kind === 'change webhook' && (!isStored || wouldDiscard(stored, undo.webhook, undo.after)))
        return null
      if (conflictOf(name, isStored ? id : null, existing) !== null) return null
      // The webhook is already stored if another replica has undone its removal at the same time.
      await (isStored ? store.webhooks.change(undo.webhook) : store.webhooks.add(undo.webhook))
      return {}
    }
    case 'save search': {
      const { id, name } = undo.search
      const saved = await store.savedSearches.list()
      // Saving would replace a newer search with this name.
      if (saved.some(each => each.name === name && each.id !== id)) return null
      await store.savedSearches.save(undo.search)
      return {}
    }
  }
}

/**
 * Whether undoing a change would discard a later one. If the value is already the former one, another replica may have undone
 * the change at the same time.
 * @param after the value after the change; `undefined` if an earlier version stored the undo
 */
function wouldDiscard<T>(current: T, former: T, after: T | undefined): boolean {
  return after !== undefined && !isDeepStrictEqual(current, after) && !isDeepStrictEqual(current, former)
}
