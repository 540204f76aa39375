import type { Attributes } from '../../shared/event.ts'

/** A log line from an AWS Lambda function. `level` is the level of the logging call. The text may have its own level. */
export type LambdaLine = { text: string; fields: Attributes; level: string | null }

const prefix =
  /^(?:\[([A-Z]{4,8})\]\t)?(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\t([\da-f-]{36}|undefined)\t(?:([A-Z]{4,8})\t)?/

/**
 * Parses a line that the runtimes for Node.js (`time⇥id⇥INFO⇥message`) or Python (`[INFO]⇥time⇥id⇥message`) print. Returns
 * `null` for any other line.
 */
export function readLambdaLine(line: string): LambdaLine | null {
  const [start, before, time, requestId, after] = prefix.exec(line) ?? []
  if (start === undefined || time === undefined || requestId === undefined) return null
  return {
    // The runtimes replace the line feeds in a message with carriage returns, so that the message stays on one line.
    text: line.slice(start.length).replaceAll('\r', '\n'),
    fields: requestId === 'undefined' ? { time } : { time, requestId },
    level: before ?? after ?? null,
  }
}
