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

/** Carries out a form of the failure in the URL. */
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
  // The page then says what is missing.
  if (fingerprint === null || services === null) return show(request, context)
  const book = store.failureStates
  const showAgain = async (changed: Partial<FailureDetail>) => withForm(await show(request, context), changed)
  switch (form.get('form')) {
    case failureForms.resolve: {
      const release = form.get('release')?.trim() ?? null
      const problem = release === null ? null : releaseProblem(release)
      if (problem !== null) return showAgain({ resolveForm: { release: release ?? '', problem } })
      const known = await store.releases(services, request.signal)
      await book.resolve(fingerprint, resolution(known, release, nowMs))
      return back(request, 'failure-state')
    }
    case failureForms.mute:
      await book.setState(fingerprint, 'muted', nowMs)
      return back(request, 'failure-state')
    case failureForms.reopen:
      await book.setState(fingerprint, 'open', nowMs)
      return back(request, 'failure-state')
    case failureForms.addNote: {
      const text = form.get('text')?.replaceAll('\r\n', '\n').trim() ?? ''
      const problem = noteProblem(text, (await book.notes(fingerprint)).length)
      if (problem !== null) return showAgain({ noteForm: { text, problem } })
      await book.addNote(fingerprint, { id: randomUUID(), writtenMs: nowMs, text })
      return back(request, 'notes')
    }
    case failureForms.removeNote:
      await book.removeNote(fingerprint, form.get('id') ?? '')
      return back(request, 'notes')
    default:
      return showAgain({})
  }
}

type Answer = ScreenAnswer<'development'>

/** `null` where no stored event has the fingerprint. */
async function servicesOf(
  fingerprint: string | null,
  { nowMs, signal }: ScreenRequest,
  { store }: Context,
): Promise<string[] | null> {
  if (fingerprint === null) return null
  const moment = { fromMs: nowMs - 1, toMs: nowMs }
  return (await store.failure(fingerprint, 1, moment, signal))?.services ?? null
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

function back({ params }: ScreenRequest, part: string): Redirect {
  return { kind: 'redirect', location: `${paths.development(viewOf(params))}#${part}` }
}

/** The page with the form as the visitor sent it. */
function withForm(page: Answer, changed: Partial<FailureDetail>): Answer {
  if (page.kind === 'redirect' || page.content.selected === null) return page
  const { content } = page
  return {
    kind: 'content',
    status: 422,
    title: 'Not saved · Development',
    content: { ...content, selected: { ...page.content.selected, ...changed } },
  }
}
