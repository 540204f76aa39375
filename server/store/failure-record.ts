import { type Static, Type } from 'typebox'
import { failureStates } from '../../shared/failure.ts'
import { nullable } from './common/nullable.ts'

const serviceRelease = Type.Object({ service: Type.String(), release: nullable(Type.String()) })

/** The schema of a failure's stored state. */
export const failureRecord = Type.Object({
  state: Type.Enum(failureStates),
  stateMs: Type.Number(),
  stateBy: nullable(Type.String()),
  mutedUntilMs: nullable(Type.Number()),
  resolution: nullable(
    Type.Object({
      atMs: Type.Number(),
      release: nullable(Type.String()),
      oldReleases: Type.Array(serviceRelease),
    }),
  ),
  /** Occurrences with greater ids are newer than the resolution. */
  resolvedAfterId: Type.Number(),
  returned: nullable(Type.Object({ release: nullable(Type.String()), atMs: Type.Number() })),
})

export type FailureRecord = Static<typeof failureRecord>

/** The schema of the data that restores the states of failures. `record: null` means that a failure had no stored state. */
export const stateSnapshot = Type.Array(Type.Object({ id: Type.String(), record: nullable(failureRecord) }))

export type StateSnapshot = Static<typeof stateSnapshot>
