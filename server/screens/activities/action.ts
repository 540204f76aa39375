import { randomUUID } from 'node:crypto'
import { parseColumns, writeColumns } from '../../../shared/columns.ts'
import { paths } from '../../../shared/paths.ts'
import { activitiesForms } from '../../../shared/screens/activities.ts'
import type { Context } from '../../context.ts'
import type { ScreenAction, ScreenAnswer, ScreenRequest } from '../screen.ts'
import { activities } from './activities.ts'
import { savedViewOf } from './log-view.ts'

const mostSaved = 200
const longestName = 80

/** Keeps a view of the log under a name, or forgets one. The page that comes back is the view itself. */
export const actOnActivities: ScreenAction<'activities'> = async (form, request, context) => {
  const view = savedViewOf(new URLSearchParams(form.get('view') ?? ''))
  const { savedSearches } = context.store
  const here = { kind: 'redirect', location: paths.savedActivities(view) } as const
  if (form.get('form') === activitiesForms.columns) return chooseColumns(form, view, request)
  if (form.get('form') === activitiesForms.forget) {
    await savedSearches.remove(form.get('id') ?? '')
    return here
  }
  const name = (form.get('name') ?? '').trim()
  const problem = await problemOf(name, context)
  if (problem === null) {
    await savedSearches.save({ id: randomUUID(), name, view, createdMs: request.nowMs })
    return here
  }
  const answer = await activities({ ...request, params: new URLSearchParams(view) }, context)
  if (answer.kind === 'redirect') return answer
  const content = { ...answer.content, saveForm: { view, name, problem } }
  return { kind: 'content', status: 422, title: 'Not saved · Activities', content }
}

/**
 * Makes the chosen columns the visitor's usual ones, each in the width that was given; they stand in the URL too, so that it
 * shows the same to others.
 */
function chooseColumns(
  form: URLSearchParams,
  view: string,
  { preferences }: ScreenRequest,
): ScreenAnswer<'activities'> {
  const attributes = form.getAll('attribute').flatMap(text => text.split(/[\s,]+/))
  const chosen = [...form.getAll('column'), ...attributes.map(path => `@${path}`)].map(key => {
    const width = form.get(`width-${key}`)?.trim() ?? ''
    return /^\d{1,4}$/.test(width) ? `${key}:${width}` : key
  })
  const columns = writeColumns(parseColumns(chosen.join(',')))
  const params = new URLSearchParams(view)
  params.set('columns', columns)
  return {
    kind: 'redirect',
    location: paths.savedActivities(savedViewOf(params)),
    preferences: { ...preferences, columns },
  }
}

async function problemOf(name: string, { store }: Context): Promise<string | null> {
  if (name === '') return 'A name is needed'
  if (name.length > longestName) return `At most ${longestName} characters`
  const kept = await store.savedSearches.list()
  if (kept.length < mostSaved || kept.some(each => each.name === name)) return null
  return `${mostSaved} searches are kept already: forget one first`
}
