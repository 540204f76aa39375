import { randomUUID } from 'node:crypto'
import { type Column, columnKey, parseColumns, writeColumns } from '../../../shared/columns.ts'
import { withoutConfirmation } from '../../../shared/confirmation.ts'
import { paths } from '../../../shared/paths.ts'
import { activitiesForms } from '../../../shared/screens/activities.ts'
import { joinUrl, splitUrl } from '../../../shared/split-url.ts'
import type { Context } from '../../context.ts'
import type { Redirect, ScreenAction, ScreenRequest, ScreenResponse } from '../screen.ts'
import { undoChange } from '../undo.ts'
import { savedViewOf } from './log-view.ts'
import { confirmedHref } from './saved-searches.ts'

const maxSavedSearches = 200
const maxNameLength = 80

/**
 * Saves, deletes or restores a search, or sets the columns. Redirects to the page that contains the form, unless a search
 * cannot be saved. The form contains the URL of this page, of which only the parameters are used.
 */
export const handleActivitiesForm: ScreenAction<'activities'> = async (form, request, context, show) => {
  const pageHref = withoutConfirmation(joinUrl(paths.activities(), splitUrl(form.get('page') ?? '').params))
  const { savedSearches } = context.store
  if (form.get('form') === activitiesForms.columns) return chooseColumns(form, pageHref, request)
  if (form.get('form') === activitiesForms.deleteSearch) {
    return redirectTo(await deleteSearch(form.get('id') ?? '', pageHref, request, context))
  }
  if (form.get('form') === activitiesForms.undo) {
    const undone = await undoChange(form, request, context)
    return redirectTo(confirmedHref(pageHref, undone === null ? 'expired' : 'restored'))
  }
  const view = savedViewOf({ ...request, params: new URLSearchParams(form.get('view') ?? '') })
  const name = (form.get('name') ?? '').trim()
  const problem = await problemOf(name, context)
  if (problem === null) {
    await savedSearches.save({ id: randomUUID(), name, view, createdMs: request.nowMs })
    await context.audit.record(request.user, 'Saved a search', name)
    return redirectTo(confirmedHref(pageHref, 'saved'))
  }
  const page = await show({ ...request, params: splitUrl(pageHref).params }, context)
  if (page.kind === 'redirect') return page
  const content = { ...page.content, saveForm: { view, name, problem } }
  return { kind: 'content', status: 422, title: 'Not saved · Activities', content, url: pageHref }
}

function redirectTo(location: string): Redirect {
  return { kind: 'redirect', location }
}

/** Deletes a saved search. Returns the URL of the page, which confirms the deletion and offers to undo it. */
async function deleteSearch(
  id: string,
  pageHref: string,
  { user }: ScreenRequest,
  { store, audit }: Pick<Context, 'store' | 'audit'>,
): Promise<string> {
  const { savedSearches, undos } = store
  const deleted = (await savedSearches.list()).find(search => search.id === id)
  if (deleted === undefined) return confirmedHref(pageHref, 'deleted')
  await savedSearches.remove(id)
  await audit.record(user, 'Deleted a saved search', deleted.name)
  const undoId = await undos.add({ kind: 'save search', search: deleted }, 'member')
  return confirmedHref(pageHref, 'deleted', undoId)
}

/**
 * Stores the columns in the visitor's preferences, and in the URL, so that shared links show them. The `columns` form field
 * lists all columns in order. Without it, reads the fields of the column menu.
 */
function chooseColumns(
  form: URLSearchParams,
  pageHref: string,
  request: ScreenRequest,
): ScreenResponse<'activities'> {
  const given = form.get('columns')
  if (given !== null) return withColumns(writeColumns(parseColumns(given)), pageHref, request)
  const attributes = form.getAll('attribute').flatMap(text => text.split(/[\s,]+/))
  const chosen = [...form.getAll('column'), ...attributes.map(path => `@${path}`)].map(key => {
    const width = form.get(`width-${key}`)?.trim() ?? ''
    return /^\d{1,4}$/.test(width) ? `${key}:${width}` : key
  })
  const columns = parseColumns(chosen.join(','))
  const moved = columns.findIndex(column => columnKey(column) === form.get('forward'))
  return withColumns(writeColumns(moved > 0 ? swapped(columns, moved) : columns), pageHref, request)
}

/** Swaps the column at an index with the one before it. */
function swapped(columns: readonly Column[], index: number): Column[] {
  const pair = columns.slice(index - 1, index + 1).reverse()
  return [...columns.slice(0, index - 1), ...pair, ...columns.slice(index + 1)]
}

function withColumns(columns: string, pageHref: string, { preferences }: ScreenRequest): Redirect {
  const { path, params } = splitUrl(pageHref)
  params.set('columns', columns)
  return {
    kind: 'redirect',
    location: joinUrl(path, params),
    preferences: { ...preferences, columns },
  }
}

async function problemOf(name: string, { store }: Context): Promise<string | null> {
  if (name === '') return 'Enter a name'
  if (name.length > maxNameLength) return `Enter at most ${maxNameLength} characters`
  const saved = await store.savedSearches.list()
  if (saved.length < maxSavedSearches || saved.some(each => each.name === name)) return null
  return `There are already ${maxSavedSearches} saved searches. Delete one first`
}
