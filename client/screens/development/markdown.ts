import type { EventRow } from '../../../shared/event.ts'
import { formatCount, pluralise } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import type { FailureDetail, OccurrenceKey } from '../../../shared/screens/development.ts'
import { block, inline } from './markdown-code.ts'
import { stackSections } from './markdown-stack.ts'

/** The lines before a failure explain it better than the lines after it. */
const linesBefore = 14
const linesInAll = 20
const maxLineLength = 300

type LinesOf = (events: readonly EventRow[]) => string[]

/**
 * Formats a failure as Markdown (https://spec.commonmark.org) for a ticket or a coding agent. Text from events is formatted
 * as code, so it is not interpreted as Markdown.
 * @param origin Sixpane's origin, for the link
 * @param linesOf formats log lines. A parameter, because pages would load a module that two lazily loaded ones import.
 */
export function failureMarkdown(failure: FailureDetail, origin: string, linesOf: LinesOf): string {
  const { type, message, digests, services, perRelease, impact, firstSeenMs, lastSeenMs, id } = failure
  const { digestCount, serviceCount, omittedReleases, shownDigest, stackOccurrence } = failure
  const other = failure.hasStackOfOtherDigest ? ', which does not have this digest' : ''
  const facts: Fact[] = [
    ['Digest', listOf(digests.map(inline), digestCount - digests.length) || 'none'],
    ['Service', listOf(services.map(inline), serviceCount - services.length)],
    [
      'Releases',
      listOf(
        perRelease.map(
          ({ release, count }) => `${inline(release ?? '(no release)')} (${formatCount(count)})`,
        ),
        omittedReleases,
      ),
    ],
    ['Occurrences', `${formatCount(impact.occurrences)}, in ${pluralise(impact.requests, 'known request')}`],
    ['First seen', instant(firstSeenMs)],
    ['Last seen', instant(lastSeenMs)],
    ['In Sixpane', `${origin}${paths.development({ failure: id, digest: shownDigest ?? undefined })}`],
  ]
  return [
    `## ${inline(type)}`,
    block(message === '' ? '(no message)' : message),
    listFacts(facts),
    ...latestSection(failure),
    ...stackSections(failure, `### Stack${fromOccurrence(stackOccurrence)}${other}`),
    ...logSection(failure, linesOf),
    '',
  ].join('\n\n')
}

/** When and where the newest listed occurrence happened. */
function latestSection({ occurrences: [newest], shownDigest }: FailureDetail): string[] {
  if (newest === undefined) return []
  const { timeMs, service, release, method, route, path, requestId, traceId } = newest
  const target = route ?? path ?? null
  const digest = shownDigest === null ? '' : ` with digest ${inline(shownDigest)}`
  return [
    `### Latest occurrence${digest}`,
    listFacts([
      ['Time', instant(timeMs)],
      ['Service', inline(service)],
      ['Release', codeOf(release)],
      [
        route === null ? 'Path' : 'Route',
        codeOf(target === null || method === null ? target : `${method} ${target}`),
      ],
      ['Request', codeOf(requestId)],
      ['Trace', codeOf(traceId)],
    ]),
  ]
}

/** The log lines nearest to the failure, oldest first. */
function logSection({ requestLog }: FailureDetail, linesOf: LinesOf): string[] {
  if (requestLog === null) return []
  const { events, occurrenceId, earlierOccurrence } = requestLog
  const lines = linesOf(nearest(events, occurrenceId)).map(shortened)
  return [`### Log of the request${fromOccurrence(earlierOccurrence)}`, block(lines.join('\n'))]
}

function nearest(events: readonly EventRow[], id: number): readonly EventRow[] {
  const index = events.findIndex(event => event.id === id)
  const start = Math.max(Math.min(index - linesBefore, events.length - linesInAll), 0)
  return events.slice(start, start + linesInAll)
}

function shortened(line: string): string {
  const characters = [...line]
  return characters.length > maxLineLength ? `${characters.slice(0, maxLineLength).join('')}…` : line
}

/** Identifies an occurrence that is not the latest one; empty for `null`. */
function fromOccurrence(occurrence: OccurrenceKey | null): string {
  if (occurrence === null) return ''
  const { timeMs, release } = occurrence
  return `, from the occurrence at ${instant(timeMs)}${release === null ? '' : ` in release ${inline(release)}`}`
}

/** `null` hides the fact. */
type Fact = [name: string, value: string | null]

function listFacts(facts: readonly Fact[]): string {
  return facts.flatMap(([name, value]) => (value === null ? [] : [`- ${name}: ${value}`])).join('\n')
}

function codeOf(text: string | null): string | null {
  return text === null ? null : inline(text)
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}

function listOf(items: readonly string[], omitted: number): string {
  return [...items, ...(omitted > 0 ? [`and ${formatCount(omitted)} more`] : [])].join(', ')
}
