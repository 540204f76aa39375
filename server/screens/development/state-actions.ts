import type { FailureState } from '../../../shared/failure.ts'
import { paths } from '../../../shared/paths.ts'
import { type Span, spanLengthMs } from '../../../shared/range.ts'
import type { Context } from '../../context.ts'
import { resolution } from '../../failures/resolve-policy.ts'
import type { Redirect, ScreenRequest } from '../screen.ts'
import { undoChange } from '../undo.ts'
import { type OtherOutcome, type StateChange, type Undoable, withConfirmation } from './confirm-change.ts'
import { viewOf } from './requested-failure.ts'

/** A failure with all services that report it. */
export type StoredFailure = { id: string; services: readonly string[] }

const changes: Readonly<Record<FailureState, StateChange>> = {
  resolved: 'resolved',
  muted: 'muted',
  open: 'reopened',
}

const actions: Readonly<Record<FailureState, string>> = {
  resolved: 'Resolved failures',
  muted: 'Muted failures',
  open: 'Reopened failures',
}

/** A new state. A `release` of `null` means the next release, and a `span` of `null` means no time limit. */
export type NewState =
  | { state: 'resolved'; release: string | null }
  | { state: 'muted'; span: Span | null }
  | { state: 'open' }

/** Changes the state of failures. Redirects to the same view, which confirms the change and offers to undo it. */
export async function changeStates(
  failures: readonly StoredFailure[],
  change: NewState,
  request: ScreenRequest,
  { store, audit }: Pick<Context, 'store' | 'audit'>,
): Promise<Redirect> {
  const { nowMs, signal, user } = request
  const { failureStates } = store
  // All queries come before the first write, so that a failed query or a visitor who leaves cannot interrupt the writes.
  const writes: { id: string; write: () => Promise<void> }[] = []
  for (const { id, services } of failures) {
    if (change.state === 'resolved') {
      const known = await store.releases([...services], signal)
      const resolved = resolution(services, known, change.release, nowMs)
      writes.push({ id, write: () => failureStates.resolve(id, resolved, user.name) })
    } else {
      const details = { untilMs: mutedUntil(change, nowMs), by: user.name }
      writes.push({ id, write: () => failureStates.setState(id, change.state, nowMs, details) })
    }
  }
  const states = await failureStates.snapshotStates(failures.map(({ id }) => id))
  const changed: string[] = []
  try {
    for (const { id, write } of writes) {
      await write()
      changed.push(id)
    }
  } finally {
    // If a write fails, the changes before it remain in effect.
    if (changed.length > 0) await audit.record(user, actions[change.state], changed.join(', '))
  }
  const undoId = await store.undos.add({ kind: 'restore states', states }, 'member')
  return redirectTo(request, changes[change.state], { count: failures.length, undoId })
}

function mutedUntil(change: NewState, nowMs: number): number | null {
  return change.state === 'muted' && change.span !== null ? nowMs + spanLengthMs(change.span) : null
}

/** Undoes a change to the states of failures. */
export async function undoStates(
  form: URLSearchParams,
  request: ScreenRequest,
  context: Pick<Context, 'store' | 'settings' | 'audit'>,
): Promise<Redirect> {
  const undone = await undoChange(form, request, context)
  return redirectTo(request, undone === null ? 'expired' : 'restored')
}

/** Redirects to the view that contains the form. */
export function redirectTo(
  request: ScreenRequest,
  done: StateChange | OtherOutcome,
  changed?: Undoable,
): Redirect {
  const view = viewOf(request)
  const part = view.failure === undefined && view.digest === undefined ? 'failures' : 'failure'
  return {
    kind: 'redirect',
    location: `${withConfirmation(paths.development(view), done, changed)}#${part}`,
  }
}
