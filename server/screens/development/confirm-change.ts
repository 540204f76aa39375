import type { Confirmation } from '../../../shared/confirmation.ts'
import { pluralise } from '../../../shared/format.ts'
import type { Context } from '../../context.ts'
import type { ScreenRequest } from '../screen.ts'
import { undoIdOf } from '../undo.ts'

const stateChanges = ['resolved', 'muted', 'reopened'] as const
export type StateChange = (typeof stateChanges)[number]

const otherOutcomes = {
  restored: 'Change undone.',
  expired: 'This change can’t be undone any more.',
  none: 'Select at least one failure.',
} as const
export type OtherOutcome = keyof typeof otherOutcomes

/** A change that can be undone. */
export type Undoable = { count: number; undoId: string }

/** Adds the confirmation of a submitted form to a URL of the screen. */
export function withConfirmation(href: string, done: StateChange | OtherOutcome, changed?: Undoable): string {
  const url = new URL(href, 'http://sixpane.invalid')
  url.searchParams.set('done', done)
  if (changed !== undefined) {
    url.searchParams.set('changed', String(changed.count))
    url.searchParams.set('undo', changed.undoId)
  }
  return url.pathname + url.search
}

/** Returns the confirmation in a URL; `null` if it contains none. */
export async function confirmationOf(
  request: Pick<ScreenRequest, 'params' | 'user'>,
  context: Pick<Context, 'store'>,
): Promise<Confirmation | null> {
  const { params } = request
  const done = params.get('done') ?? ''
  const change = stateChanges.find(each => each === done)
  if (change !== undefined) {
    const changed = /^[1-9]\d{0,3}$/.exec(params.get('changed') ?? '')
    return {
      text: `${pluralise(Number(changed?.[0] ?? 1), 'failure')} ${change}.`,
      undoId: await undoIdOf(request, context),
    }
  }
  return isOtherOutcome(done) ? { text: otherOutcomes[done], undoId: null } : null
}

function isOtherOutcome(value: string): value is OtherOutcome {
  return Object.hasOwn(otherOutcomes, value)
}
