import { randomUUID } from 'node:crypto'
import { paths } from '../../../shared/paths.ts'
import { type FailureDetail, failureForms, muteSpans } from '../../../shared/screens/development.ts'
import type { Context } from '../../context.ts'
import { reopenIfReturned } from '../../failures/reopen-if-returned.ts'
import { oldReleasesAfterMerge } from '../../failures/resolve-policy.ts'
import type { Store } from '../../store/store.ts'
import type { Redirect, ScreenAction, ScreenRequest, ScreenResponse } from '../screen.ts'
import { findRequestedFailure, hasOtherFingerprint, viewOf } from './requested-failure.ts'
import { changeStates, redirectTo, type StoredFailure } from './state-actions.ts'

const maxNoteLength = 5000
const maxNotes = 200
const maxReleaseLength = 200

const failuresLimit = 50

/** Handles a form for the failures that the visitor selected in the list. */
export async function actOnSelected(
  form: URLSearchParams,
  request: ScreenRequest,
  context: Context,
): Promise<Redirect> {
  const ids = [...new Set(form.getAll('failure'))].slice(0, failuresLimit)
  const stored = await Promise.all(ids.map(id => storedFailure(id, request, context)))
  // Some of the selected failures may have been merged since the page was loaded.
  const byId = new Map(stored.flatMap(failure => (failure === null ? [] : [[failure.id, failure] as const])))
  const failures = [...byId.values()]
  if (failures.length === 0) return redirectTo(request, 'none')
  switch (form.get('form')) {
    case failureForms.resolve:
      return changeStates(failures, { state: 'resolved', release: null }, request, context)
    case failureForms.mute:
      return changeStates(failures, { state: 'muted', span: null }, request, context)
    default:
      return changeStates(failures, { state: 'open' }, request, context)
  }
}

/** Handles a form for the failure in the URL. */
export const actOnFailure: ScreenAction<'development'> = async (form, request, context, show) => {
  const { store, audit } = context
  const { id, idsOfDigest } = await findRequestedFailure(request, store)
  const isDigestElsewhere = (failure: string) => idsOfDigest.length > 0 && !idsOfDigest.includes(failure)
  const actOn = (failure: string) => {
    const params = new URLSearchParams(request.params)
    params.set('failure', failure)
    params.delete('shown')
    // The response would otherwise show the failure that has the digest now, without the confirmation or the entered text.
    if (isDigestElsewhere(failure)) params.delete('digest')
    return actOnFailure(form, { ...request, params }, context, show)
  }
  // The digest may now lead to a different failure than when the page was loaded.
  const shown = request.params.get('shown')
  if (shown !== null && shown !== id) return actOn(shown)
  if (hasOtherFingerprint(request.params, id)) return actOn(id)
  if (id !== null && isDigestElsewhere(id)) return actOn(id)
  const { nowMs, user } = request
  const failure = await storedFailure(id, request, context)
  // The page reports that the failure is missing.
  if (id === null || failure === null) return show(request, context)
  const states = store.failureStates
  const showWith = async (changed: Partial<FailureDetail>) => withForm(await show(request, context), changed)
  switch (form.get('form')) {
    case failureForms.resolve: {
      const release = form.get('release')?.trim() ?? null
      const problem = release === null ? null : releaseProblem(release)
      if (problem !== null) return showWith({ resolveForm: { release: release ?? '', problem } })
      return changeStates([failure], { state: 'resolved', release }, request, context)
    }
    case failureForms.mute:
      return changeStates([failure], { state: 'muted', span: muteSpanOf(form) }, request, context)
    case failureForms.reopen:
      return changeStates([failure], { state: 'open' }, request, context)
    case failureForms.addNote: {
      const text = form.get('text')?.replaceAll('\r\n', '\n').trim() ?? ''
      const problem = noteProblem(text, (await states.notes(id)).length)
      if (problem !== null) return showWith({ noteForm: { text, problem } })
      const { name } = user
      await states.addNote(id, {
        id: randomUUID(),
        writtenMs: nowMs,
        text,
        ...(name !== null && { author: name }),
      })
      await audit.record(user, 'Added a note', id)
      return redirectBack(request, 'notes')
    }
    case failureForms.removeNote: {
      const noteId = form.get('id') ?? ''
      // Another user may have deleted the note since the page was loaded.
      if ((await states.notes(id)).some(note => note.id === noteId)) {
        await states.removeNote(id, noteId)
        await audit.record(user, 'Deleted a note', id)
      }
      return redirectBack(request, 'notes')
    }
    case failureForms.merge: {
      const chosen = form.get('other') ?? ''
      const other = await store.failureId(chosen, request.signal)
      const merged = other === id ? null : await storedFailure(other, request, context)
      if (merged === null || other !== chosen) {
        // Searches for the failure again, so that the page shows why it cannot be merged, or that somebody has merged it
        // into another one, which the visitor can confirm.
        const params = new URLSearchParams(request.params)
        params.set('merge', chosen)
        return withForm(await show({ ...request, params }, context), {})
      }
      await mergeFailures(merged, failure, request, store)
      await audit.record(user, 'Merged failures', `${other} into ${id}`)
      return redirectBack(request, 'grouping')
    }
    case failureForms.split: {
      const fingerprint = form.get('fingerprint') ?? ''
      const isOfFailure = (await store.failureId(fingerprint, request.signal)) === id
      const separate = isOfFailure ? await store.manualGrouping.split(fingerprint) : null
      if (separate === null) return showWith({ splitProblem: 'This fingerprint can’t be split off any more' })
      await reopenIfReturned(separate, states)
      await audit.record(user, 'Split a failure', `${separate} from ${id}`)
      // Without the digest, which may belong to the failure on this page.
      return {
        kind: 'redirect',
        location: paths.development({ ...viewOf(request), failure: separate, digest: undefined }),
      }
    }
    default:
      return showWith({})
  }
}

type Response = ScreenResponse<'development'>

/** Returns `null` if the failure has no stored events. */
async function storedFailure(
  id: string | null,
  { nowMs, signal }: ScreenRequest,
  { store }: Context,
): Promise<StoredFailure | null> {
  if (id === null) return null
  const window = { fromMs: nowMs - 1, toMs: nowMs }
  const row = await store.failure(id, 1, window, signal)
  // The row of a failure lists only some of many services.
  if (row === null || row.services.length === row.serviceCount) return row
  return { id: row.id, services: await store.failureServices(row.id, signal) }
}

/**
 * Merges a failure into another one. If the other one is resolved, first extends its resolution to the services of the
 * merged failure. Otherwise, the next occurrence in one of these services would reopen it.
 */
async function mergeFailures(
  { id, services }: StoredFailure,
  into: StoredFailure,
  { signal }: ScreenRequest,
  { failureStates, manualGrouping, releases }: Pick<Store, 'failureStates' | 'manualGrouping' | 'releases'>,
): Promise<void> {
  const [state] = await failureStates.snapshotStates([into.id])
  const resolution = state?.record?.state === 'resolved' ? state.record.resolution : null
  if (resolution !== null) {
    const known = await releases([...into.services, ...services], signal)
    const oldReleases = oldReleasesAfterMerge(resolution, services, known)
    await failureStates.replaceOldReleases(into.id, resolution.atMs, oldReleases)
  }
  await manualGrouping.merge(id, into.id)
}

function muteSpanOf(form: URLSearchParams): (typeof muteSpans)[number] | null {
  return muteSpans.find(span => span === form.get('for')) ?? null
}

function releaseProblem(release: string): string | null {
  if (release === '')
    return 'Enter the release that contains the fix, or choose to resolve the failure in the next release'
  return release.length > maxReleaseLength ? `Enter at most ${maxReleaseLength} characters` : null
}

function noteProblem(text: string, existing: number): string | null {
  if (text === '') return 'Enter a note'
  if (text.length > maxNoteLength)
    return `Enter at most ${maxNoteLength} characters; this note has ${text.length}`
  return existing >= maxNotes ? `There are already ${maxNotes} notes. Delete one first` : null
}

function redirectBack(request: ScreenRequest, part: string): Redirect {
  return { kind: 'redirect', location: `${paths.development(viewOf(request))}#${part}` }
}

/** Returns the page with the submitted form values. */
function withForm(page: Response, changed: Partial<FailureDetail>): Response {
  if (page.kind === 'redirect') return page
  const { content } = page
  if (content.view !== 'failure') return page
  return {
    kind: 'content',
    status: 422,
    title: 'Not saved · Development',
    content: { ...content, failure: { ...content.failure, ...changed } },
  }
}
