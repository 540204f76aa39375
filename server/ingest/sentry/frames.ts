import type { Attributes, Json } from '../../../shared/event.ts'
import { oneLine, type ThrownFrame } from '../../stacks/thrown-exception.ts'
import { list, number, object, text } from './json-fields.ts'

/** Reads the frames of a stack trace (https://develop.sentry.dev/sdk/data-model/event-payloads/stacktrace/). */
export function readFrames(stacktrace: Json | undefined, platform: string): ThrownFrame[] {
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
}: Attributes): ThrownFrame['source'] {
  if (typeof line !== 'string') return null
  const linesOf = (lines: Json | undefined) =>
    list({ values: lines ?? [] }).map(each => withoutLineBreak(text(each) ?? ''))
  return { before: linesOf(before), line: withoutLineBreak(line), after: linesOf(after) }
}

/** The SDK for Ruby sends source lines that end in line breaks. */
function withoutLineBreak(line: string): string {
  return line.replace(/\r?\n$/, '')
}

export function isJavaScript(platform: string): boolean {
  return platform === 'javascript' || platform === 'node'
}
