import { randomUUID } from 'node:crypto'
import { type Column, columnKey, parseColumns, writeColumns } from '../../../shared/columns.ts'
import { paths } from '../../../shared/paths.ts'
import { activitiesForms } from '../../../shared/screens/activities.ts'
import type { Context } from '../../context.ts'
import type { Redirect, ScreenAction, ScreenRequest, ScreenResponse } from '../screen.ts'
import { undoChange } from '../undo.ts'
import { savedViewOf } from './log-view.ts'
import { confirmedHref } from './saved-searches.ts'

const maxSavedSearches = 200
const maxNameLength = 80

/** Saves, deletes or restores a search, or sets the columns. Redirects to the log, unless a search cannot be saved. */
export const handleActivitiesForm: ScreenAction<'activities'> = async (form, request, context, show) => {
  const view = savedViewOf({ ...request, params: new URLSearchParams(form.get('view') ?? '') })
  const { savedSearches } = context.store
  if (form.get('form') === activitiesForms.columns) return chooseColumns(form, view, request)
  if (form.get('form') === activitiesForms.deleteSearch) {
    return redirectTo(await deleteSearch(form.get('id') ?? '', view, request, context))
  }
  if (form.get('form') === activitiesForms.undo) {
    const undone = await undoChange(form, request, context)
    return redirectTo(confirmedHref(view, undone === null ? 'expired' : 'restored'))
  }
  const name = (form.get('name') ?? '').trim()
  const problem = await problemOf(name, context)
  if (problem === null) {
    await savedSearches.save({ id: randomUUID(), name, view, createdMs: request.nowMs })
    await context.audit.record(request.user, 'Saved a search', name)
    return redirectTo(confirmedHref(view, 'saved'))
  }
  const page = await show({ ...request, params: new URLSearchParams(view) }, context)
  if (page.kind === 'redirect') return page
  const content = { ...page.content, saveForm: { view, name, problem } }
  return { kind: 'content', status: 422, title: 'Not saved · Activities', content }
}

function redirectTo(location: string): Redirect {
  return { kind: 'redirect', location }
}

/** Deletes a saved search. Returns the URL of the view, which confirms the deletion and offers to undo it. */
async function deleteSearch(
  id: string,
  view: string,
  { user }: ScreenRequest,
  { store, audit }: Pick<Context, 'store' | 'audit'>,
): Promise<string> {
  const { savedSearches, undos } = store
  const deleted = (await savedSearches.list()).find(search => search.id === id)
  if (deleted === undefined) return confirmedHref(view, 'deleted')
  await savedSearches.remove(id)
  await audit.record(user, 'Deleted a saved search', deleted.name)
  const undoId = await undos.add({ kind: 'save search', search: deleted }, 'member')
  return confirmedHref(view, 'deleted', undoId)
}

/**
 * Stores the columns in the visitor's preferences, and in the URL, so that shared links show them. The `columns` form field
 * lists all columns in order. Without it, reads the fields of the column menu.
 */
function chooseColumns(
  form: URLSearchParams,
  view: string,
  request: ScreenRequest,
): ScreenResponse<'activities'> {
  const given = form.get('columns')
  if (given !== null) return withColumns(writeColumns(parseColumns(given)), view, request)
  const attributes = form.getAll('attribute').flatMap(text => text.split(/[\s,]+/))
  const chosen = [...form.getAll('column'), ...attributes.map(path => `@${path}`)].map(key => {
    const width = form.get(`width-${key}`)?.trim() ?? ''
    return /^\d{1,4}$/.test(width) ? `${key}:${width}` : key
  })
  const columns = parseColumns(chosen.join(','))
  const moved = columns.findIndex(column => columnKey(column) === form.get('forward'))
  return withColumns(writeColumns(moved > 0 ? swapped(columns, moved) : columns), view, request)
}

/** Swaps the column at an index with the one before it. */
function swapped(columns: readonly Column[], index: number): Column[] {
  const pair = columns.slice(index - 1, index + 1).reverse()
  return [...columns.slice(0, index - 1), ...pair, ...columns.slice(index + 1)]
}

function withColumns(columns: string, view: string, request: ScreenRequest): Redirect {
  const params = new URLSearchParams(view)
  params.set('columns', columns)
  return {
    kind: 'redirect',
    location: paths.savedActivities(savedViewOf({ ...request, params })),
    preferences: { ...request.preferences, columns },
  }
}

async function problemOf(name: string, { store }: Context): Promise<string | null> {
  if (name === '') return 'Enter a name'
  if (name.length > maxNameLength) return `Enter at most ${maxNameLength} characters`
  const saved = await store.savedSearches.list()
  if (saved.length < maxSavedSearches || saved.some(each => each.name === name)) return null
  return `There are already ${maxSavedSearches} saved searches. Delete one first`
}
