import type { FailureState } from '../../../shared/failure.ts'
import type { FailureIndex } from '../common/metrics/failure-index.ts'
import type { State } from './state.ts'

type Failures = Pick<State, 'failureIds' | 'failures'>

/** An unknown fingerprint is its own failure id. */
export function failureIdOf({ failureIds }: Pick<State, 'failureIds'>, fingerprint: string): string {
  return failureIds.get(fingerprint) ?? fingerprint
}

export function stateOf(state: Failures, fingerprint: string): FailureState {
  return state.failures.get(failureIdOf(state, fingerprint))?.state ?? 'open'
}

/** Returns an index that does not change when failures are merged. */
export function failureIndexOf(state: Failures): FailureIndex {
  const moved = new Map([...state.failureIds].filter(([fingerprint, id]) => fingerprint !== id))
  const states = new Map([...state.failures].map(([id, record]) => [id, record.state]))
  const fingerprints = new Map<string, string[]>()
  for (const [fingerprint, id] of moved)
    fingerprints.set(id, [...(fingerprints.get(id) ?? [id]), fingerprint])
  const idOf = (fingerprint: string) => moved.get(fingerprint) ?? fingerprint
  return {
    failureIdOf: idOf,
    fingerprintsOf: fingerprint => fingerprints.get(idOf(fingerprint)) ?? [idOf(fingerprint)],
    stateOf: fingerprint => states.get(idOf(fingerprint)) ?? 'open',
  }
}

/** The fingerprints of a failure, including its id. */
export function fingerprintsOf(state: Pick<State, 'failureIds'>, id: string): string[] {
  const known = [...state.failureIds].flatMap(([fingerprint, failureId]) =>
    failureId === id ? fingerprint : [],
  )
  return [...new Set([id, ...known])]
}

/** The known fingerprints of failures in these states. */
export function fingerprintsInState(state: Failures, states: readonly FailureState[]): string[] {
  if (state.failures.size === 0) return []
  return [...state.failureIds.keys()].filter(fingerprint => states.includes(stateOf(state, fingerprint)))
}

export function markKnown({ failureIds }: Pick<State, 'failureIds'>, fingerprints: readonly string[]): void {
  for (const fingerprint of fingerprints) {
    if (!failureIds.has(fingerprint)) failureIds.set(fingerprint, fingerprint)
  }
}
