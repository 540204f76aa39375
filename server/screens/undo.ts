import { type Preferences, parsePreferences } from '../../shared/preferences.ts'
import type { User } from '../../shared/user.ts'
import type { Context } from '../context.ts'
import { problemOf, runtimeKeyOf } from '../settings/runtime-settings.ts'
import type { Undo } from '../store/undo-store.ts'
import type { ScreenRequest } from './screen.ts'

/** Returns the undo id from a URL, or `null` if there is none or the visitor can't undo that change. */
export async function undoIdOf(
  { params, user }: Pick<ScreenRequest, 'params' | 'user'>,
  { store }: Pick<Context, 'store'>,
): Promise<string | null> {
  const id = params.get('undo') ?? ''
  return id !== '' && (await store.undos.has(id, user.role)) ? id : null
}

/**
 * Undoes the change with the id in the form. Returns `null` if the visitor can't undo the change; otherwise an object with
 * the preferences to store in the visitor's cookie, if there are any.
 */
export async function undoChange(
  form: URLSearchParams,
  { role }: Pick<User, 'role'>,
  context: Pick<Context, 'store' | 'settings'>,
): Promise<{ preferences?: Preferences } | null> {
  const undo = await context.store.undos.take(form.get('undo') ?? '', role)
  return undo && (await apply(undo, context))
}

async function apply(
  undo: Undo,
  { store, settings }: Pick<Context, 'store' | 'settings'>,
): Promise<{ preferences?: Preferences } | null> {
  switch (undo.kind) {
    case 'restore states':
      await store.failureStates.restoreStates(undo.states)
      return {}
    case 'restore preferences':
      return { preferences: parsePreferences(undo.cookie) }
    case 'restore setting': {
      const key = runtimeKeyOf(undo.name)
      // The change may come from a replica of another version, which supports other settings or values.
      if (key === undefined || problemOf(key, undo.value) !== null) return null
      await settings.save({ [key]: undo.value })
      return {}
    }
    case 'change webhook':
      await store.webhooks.change(undo.webhook)
      return {}
    case 'add webhook':
      await store.webhooks.add(undo.webhook)
      return {}
    case 'save search':
      await store.savedSearches.save(undo.search)
      return {}
  }
}
