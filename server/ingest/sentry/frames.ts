import type { Attributes, Json } from '../../../shared/event.ts'
import { list, number, object, text } from './json-fields.ts'

/** One exception of a chain. Frames are in the order of Sentry's protocol: the innermost call last. */
export type ThrownException = {
  type: string
  message: string
  module: string | null
  frames: readonly SentryFrame[]
}

/** A frame of Sentry's protocol (https://develop.sentry.dev/sdk/data-model/event-payloads/stacktrace/). */
export type SentryFrame = {
  function: string | null
  module: string | null
  file: string | null
  line: number | null
  column: number | null
  /** The source lines before, at and after the position; `null` if the SDK sent none. */
  source: { before: readonly string[]; line: string; after: readonly string[] } | null
}

/** Reads the frames of a stack trace. */
export function readFrames(stacktrace: Json | undefined, platform: string): SentryFrame[] {
  return list({ values: object(stacktrace).frames ?? [] }).map(each => {
    const frame = object(each)
    const [name, path] = [text(frame.filename), text(frame.abs_path)]
    return {
      function: oneLine(text(frame.function)),
      module: oneLine(text(frame.module)),
      // In JavaScript, debug ids refer to `filename`. In other languages, `filename` is a shortened path.
      file: oneLine(isJavaScript(platform) ? (name ?? path) : (path ?? name)),
      line: number(frame.lineno),
      column: number(frame.colno),
      source: sourceOf(frame),
    }
  })
}

function sourceOf({
  pre_context: before,
  context_line: line,
  post_context: after,
}: Attributes): SentryFrame['source'] {
  if (typeof line !== 'string') return null
  const linesOf = (lines: Json | undefined) =>
    list({ values: lines ?? [] }).map(each => withoutLineBreak(text(each) ?? ''))
  return { before: linesOf(before), line: withoutLineBreak(line), after: linesOf(after) }
}

/** The lines of the SDK for Ruby end in line breaks. */
function withoutLineBreak(line: string): string {
  return line.replace(/\r?\n$/, '')
}

export function isJavaScript(platform: string): boolean {
  return platform === 'javascript' || platform === 'node'
}

/** The stack parser does not recognise frames with longer names. */
const maxLength = 1000

/** Limits the length. A line break would end the frame in a printed stack. */
export function oneLine(value: string | null): string | null {
  return value === null ? null : value.slice(0, maxLength).replaceAll(/[\r\n\u2028\u2029]+/g, ' ')
}
