import { formatCount, pluralise } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import type { FailureDetail } from '../../../shared/screens/development.ts'
import type { Frame } from '../../../shared/stack.ts'
import { plainText } from '../../components/plain-text.ts'

const frameLimit = 20

/**
 * Formats a failure as Markdown (https://spec.commonmark.org) for a ticket. Text from events is formatted as code, so it is
 * not interpreted as Markdown.
 * @param origin Sixpane's origin, for the link
 */
export function failureMarkdown(failure: FailureDetail, origin: string): string {
  const { type, message, digests, services, perRelease, impact, firstSeenMs, lastSeenMs, id } = failure
  const { digestCount, serviceCount, omittedReleases } = failure
  const facts: [string, string][] = [
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
    ['In Sixpane', `${origin}${paths.development({ failure: id })}`],
  ]
  return [
    `## ${inline(type)}`,
    block(message === '' ? '(no message)' : message),
    facts.map(([name, value]) => `- ${name}: ${value}`).join('\n'),
    ...stackSections(failure),
    '',
  ].join('\n\n')
}

function stackSections({ frames, stack }: FailureDetail): string[] {
  if (frames.length === 0) return stack === null ? [] : ['### Stack', block(stack)]
  const lines = frames.slice(0, frameLimit).map(formatFrame)
  const first = frames.find(({ inApp, code }) => inApp && code !== null)
  return [
    '### Stack',
    block(lines.join('\n')),
    ...(first === undefined ? [] : [`### ${inline(formatPosition(first))}`, block(formatCode(first))]),
  ]
}

function formatFrame(frame: Frame): string {
  return `at ${frame.functionName ?? '(anonymous)'} (${formatPosition(frame)})`
}

function formatPosition({ file, line, column }: Frame): string {
  return [file, line, column].filter(part => part !== null).join(':')
}

function formatCode({ code, line }: Frame): string {
  const { firstLine, lines } = code ?? { firstLine: 1, lines: [] }
  const width = String(firstLine + lines.length).length
  return lines
    .map((text, index) => {
      const number = firstLine + index
      return `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text}`
    })
    .join('\n')
}

/** A code block with a fence longer than any in the text: https://spec.commonmark.org/0.31.2/#fenced-code-blocks */
function block(text: string): string {
  const plain = plainText(text)
  const fence = '`'.repeat(Math.max(longestRun(plain) + 1, 3))
  return `${fence}\n${plain}\n${fence}`
}

function inline(text: string): string {
  const plain = plainText(text).replaceAll('\n', ' ')
  const fence = '`'.repeat(longestRun(plain) + 1)
  const space = plain.startsWith('`') || plain.endsWith('`') ? ' ' : ''
  return `${fence}${space}${plain}${space}${fence}`
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}

function instant(ms: number): string {
  return new Date(ms).toISOString()
}

function listOf(items: readonly string[], omitted: number): string {
  return [...items, ...(omitted > 0 ? [`and ${formatCount(omitted)} more`] : [])].join(', ')
}
