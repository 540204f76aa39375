import { randomUUID } from 'node:crypto'
import { paths } from '../../../shared/paths.ts'
import { type FailureDetail, failureForms } from '../../../shared/screens/development.ts'
import type { Context } from '../../context.ts'
import { resolution } from '../../failures/resolve-policy.ts'
import type { Redirect, ScreenAction, ScreenAnswer, ScreenRequest } from '../screen.ts'
import { failureMovedTo, requestedFingerprint, viewOf } from './requested-failure.ts'

const maxNoteLength = 5000
const maxNotes = 200
const maxReleaseLength = 200

/** Handles a form of the failure in the URL. */
export const actOnFailure: ScreenAction<'development'> = async (form, request, context, show) => {
  const { store } = context
  const movedTo = await failureMovedTo(request, store)
  if (movedTo !== null) {
    const params = new URLSearchParams(request.params)
    params.set('failure', movedTo)
    return actOnFailure(form, { ...request, params }, context, show)
  }
  const { nowMs } = request
  const fingerprint = await requestedFingerprint(request, store)
  const services = await servicesOf(fingerprint, request, context)
  // The page reports that the failure is missing.
  if (fingerprint === null || services === null) return show(request, context)
  const { failureStates } = store
  const showWith = async (changed: Partial<FailureDetail>) => withForm(await show(request, context), changed)
  switch (form.get('form')) {
    case failureForms.resolve: {
      const release = form.get('release')?.trim() ?? null
      const problem = release === null ? null : releaseProblem(release)
      if (problem !== null) return showWith({ resolveForm: { release: release ?? '', problem } })
      const known = await store.releases(services, request.signal)
      await failureStates.resolve(fingerprint, resolution(known, release, nowMs))
      return redirectBack(request, 'failure-state')
    }
    case failureForms.mute:
      await failureStates.setState(fingerprint, 'muted', nowMs)
      return redirectBack(request, 'failure-state')
    case failureForms.reopen:
      await failureStates.setState(fingerprint, 'open', nowMs)
      return redirectBack(request, 'failure-state')
    case failureForms.addNote: {
      const text = form.get('text')?.replaceAll('\r\n', '\n').trim() ?? ''
      const problem = noteProblem(text, (await failureStates.notes(fingerprint)).length)
      if (problem !== null) return showWith({ noteForm: { text, problem } })
      await failureStates.addNote(fingerprint, { id: randomUUID(), writtenMs: nowMs, text })
      return redirectBack(request, 'notes')
    }
    case failureForms.removeNote:
      await failureStates.removeNote(fingerprint, form.get('id') ?? '')
      return redirectBack(request, 'notes')
    default:
      return showWith({})
  }
}

type Response = ScreenAnswer<'development'>

/** The services of a failure; `null` if no stored event has the fingerprint. */
async function servicesOf(
  fingerprint: string | null,
  { nowMs, signal }: ScreenRequest,
  { store }: Context,
): Promise<string[] | null> {
  if (fingerprint === null) return null
  const window = { fromMs: nowMs - 1, toMs: nowMs }
  return (await store.failure(fingerprint, 1, window, signal))?.services ?? null
}

function releaseProblem(release: string): string | null {
  if (release === '') return 'Enter the release that contains the fix, or resolve in the next release'
  return release.length > maxReleaseLength ? `Enter at most ${maxReleaseLength} characters` : null
}

function noteProblem(text: string, existing: number): string | null {
  if (text === '') return 'Enter a note'
  if (text.length > maxNoteLength)
    return `Enter at most ${maxNoteLength} characters; this note has ${text.length}`
  return existing >= maxNotes ? `There are already ${maxNotes} notes. Delete one first` : null
}

function redirectBack({ params }: ScreenRequest, part: string): Redirect {
  return { kind: 'redirect', location: `${paths.development(viewOf(params))}#${part}` }
}

/** The page with the submitted values of the form. */
function withForm(page: Response, changed: Partial<FailureDetail>): Response {
  if (page.kind === 'redirect' || page.content.selected === null) return page
  const { content } = page
  return {
    kind: 'content',
    status: 422,
    title: 'Not saved · Development',
    content: { ...content, selected: { ...page.content.selected, ...changed } },
  }
}
