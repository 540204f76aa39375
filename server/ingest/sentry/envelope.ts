import type { Attributes } from '../../../shared/event.ts'
import { isObject } from '../../../shared/read-value.ts'
import { HttpError } from '../../http/http-error.ts'
import { type JsonSpan, sliceBytes } from '../json-cursor.ts'
import { parseJson } from '../parse-json.ts'
import { number } from './json-fields.ts'

/** An envelope's header, and the position of its first item. */
export type EnvelopeStart = { header: Attributes; itemsStart: number }

/** One item of an envelope. */
export type EnvelopeItem = {
  /** `event`, `log`, … */
  type: string
  /** Whether the payload is a list. */
  isList: boolean
  /** The number of elements in the list, as the sender declares it; `null` if it does not. */
  declaredCount: number | null
  payload: JsonSpan
}

/** Headers contain a few short fields. */
const maxHeaderBytes = 64 * 1024
const newline = 0x0a

/**
 * Reads the header of an envelope (https://develop.sentry.dev/sdk/foundations/envelopes/#serialization-format).
 * @throws HttpError 400 if the body is not an envelope
 */
export function readEnvelopeStart(body: Buffer): EnvelopeStart {
  const line = lineFrom(body, 0)
  const header = readHeader(body, line)
  if (header === null) throw invalid('The first line must be the header, a JSON object')
  return { header, itemsStart: line.end + 1 }
}

/**
 * Reads the items of an envelope without parsing their payloads. Yields `null` where the caller can pause.
 * @throws HttpError 400 if the rest of the body is not a list of items
 */
export function* readEnvelopeItems(body: Buffer, itemsStart: number): Generator<EnvelopeItem | null> {
  let position = itemsStart
  for (let count = 1; ; count += 1) {
    while (body[position] === newline) {
      position += 1
      if (position % sliceBytes === 0) yield null
    }
    if (position >= body.length) return
    const line = lineFrom(body, position)
    const header = readHeader(body, line)
    const type = header?.type
    if (header === null || typeof type !== 'string') {
      throw invalid(`The header of item ${count} must be a JSON object with a type`)
    }
    const payload = payloadFrom(body, line.end + 1, header.length ?? null)
    if (payload === null) throw invalid(`Item ${count} does not end at its declared length`)
    yield {
      type,
      isList: isListType(header.content_type),
      declaredCount: number(header.item_count),
      payload,
    }
    position = payload.end + 1
  }
}

/** https://develop.sentry.dev/sdk/telemetry/logs/#log-envelope-item-payload */
function isListType(contentType: Attributes[string] | undefined): boolean {
  return typeof contentType === 'string' && contentType.startsWith('application/vnd.sentry.items.')
}

/**
 * Returns the position of a payload. Returns `null` if the payload does not end at a line break or at the end of the body,
 * which means that the declared length is wrong.
 */
function payloadFrom(body: Buffer, from: number, length: Attributes[string]): JsonSpan | null {
  const start = Math.min(from, body.length)
  if (length === null) return lineFrom(body, start)
  if (typeof length !== 'number' || !Number.isInteger(length) || length < 0) return null
  const end = start + length
  return end === body.length || body[end] === newline ? { start, end } : null
}

function lineFrom(body: Buffer, start: number): JsonSpan {
  const end = body.indexOf(newline, start)
  return { start, end: end < 0 ? body.length : end }
}

function readHeader(body: Buffer, line: JsonSpan): Attributes | null {
  if (line.end - line.start > maxHeaderBytes) return null
  const header = parseJson(body, line)
  return header !== undefined && isObject(header) ? header : null
}

function invalid(reason: string): HttpError {
  return new HttpError(400, `The body is not a valid envelope. ${reason}`)
}
