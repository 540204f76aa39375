import { formatCount, pluralise } from '../../shared/format.ts'
import type { EventCopy } from './copy-events.ts'
import type { StateCopy } from './copy-state.ts'
import { hourText } from './show-progress.ts'

export type CopyResult = { events: EventCopy; state: StateCopy; sourceMaps: number }

/** A longer list would hide the other lines. */
const maxListedHours = 20

/** Describes the copied data, and what is only in the target. */
export function describeResult({ events, state, sourceMaps }: CopyResult): string[] {
  const others = Object.entries(state.onlyInTarget).map(([name, count]) => `${formatCount(count)} in ${name}`)
  return [
    `The source has ${pluralise(events.events, 'event')} from ${pluralise(events.hours, 'hour')}. Copied ${pluralise(events.stored, 'missing event')} to the target. ${pluralise(events.equalHours, 'hour')} had nothing to copy`,
    ...(events.regrouped === 0
      ? []
      : [`Updated the fingerprints of ${pluralise(events.regrouped, 'event')}`]),
    `Copied ${pluralise(sourceMaps, 'source map')}, and ${pluralise(state.changed, 'change')} to other data`,
    ...(events.onlyInTarget === 0 ? [] : [`Only in the target: ${pluralise(events.onlyInTarget, 'event')}`]),
    ...(others.length === 0
      ? []
      : [`Only in the target, because it has been used since the last copy: ${others.join(', ')}`]),
  ]
}

/**
 * Describes the hours in which events are missing from the target or differ from the source. Returns `null` if there are
 * none.
 */
export function describeDifferences({ differences }: EventCopy): string | null {
  if (differences.length === 0) return null
  const listed = differences
    .slice(0, maxListedHours)
    .map(
      ({ startMs, missing, different }) =>
        `${hourText(startMs)} (${formatCount(missing)} missing, ${formatCount(different)} different)`,
    )
  const more = differences.length - listed.length
  const hours = more > 0 ? [...listed, `${formatCount(more)} more`] : listed
  return `The target differs from the source in ${pluralise(differences.length, 'hour')}: ${hours.join(', ')}. Run the same command again. If the same hours still differ, copy to a new folder or database`
}
