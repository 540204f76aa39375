import { randomUUID } from 'node:crypto'
import { activitiesForms } from '../../shared/content.ts'
import { paths } from '../../shared/paths.ts'
import type { Context } from '../context.ts'
import { activities } from './activities.ts'
import { savedViewOf } from './activities-view.ts'
import type { ScreenAction } from './screen.ts'

const mostSaved = 200
const longestName = 80

/** Keeps a view of the log under a name, or forgets one. The page that comes back is the view itself. */
export const actOnActivities: ScreenAction<'activities'> = async (form, request, context) => {
  const view = savedViewOf(new URLSearchParams(form.get('view') ?? ''))
  const { savedSearches } = context.store
  const here = { kind: 'redirect', location: paths.savedActivities(view) } as const
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

async function problemOf(name: string, { store }: Context): Promise<string | null> {
  if (name === '') return 'A name is needed'
  if (name.length > longestName) return `At most ${longestName} characters`
  const kept = await store.savedSearches.list()
  if (kept.length < mostSaved || kept.some(each => each.name === name)) return null
  return `${mostSaved} searches are kept already: forget one first`
}
