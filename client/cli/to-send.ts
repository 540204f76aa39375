import type { Attributes, Json } from '../../shared/event.ts'
import {
  nestedReleaseNames,
  nestedServiceNames,
  releaseNames,
  serviceNames,
  timeNames,
} from '../../shared/field-names.ts'
import { hasField } from '../../shared/has-field.ts'
import { readTime } from '../../shared/read-time.ts'
import { isObject, readName } from '../../shared/read-value.ts'
import type { Severity } from '../../shared/severity.ts'
import { textTimeField, textTimeOf } from '../../shared/text-time.ts'
import { wrappedLineOf } from '../../shared/wrapped-line.ts'
import { maxInputLength, maxTextLength, withCutNote } from './cut-text.ts'
import type { Joined } from './join-lines.ts'
import type { Line } from './line.ts'
import { levelOf, withoutAnsi } from './plain-text.ts'
import { shortenRecord } from './shorten-record.ts'

/** The service and release for lines that do not specify them. */
export type Defaults = { service: string; release: string | null }

/** Sixpane accepts lines of up to 1 MiB. The margin is for the fields that `recordToSend` adds. */
const maxRecordBytes = 1024 * 1024 - 16 * 1024

/**
 * Adds missing fields, such as the time and service, to a line that is a JSON object. A field without a valid value counts
 * as missing, because the server ignores it. Because the server also unwraps a line that a log collector wrapped, the fields
 * of the wrapped line do not count as missing. Shortens a line that the server would reject. Returns `null` for a line that
 * is not a JSON object.
 */
export function recordToSend(line: Line, { service, release }: Defaults): string | null {
  const text = line.text.trim()
  const record = parse(text)
  if (record === null) return null
  const json = Buffer.byteLength(text) > maxRecordBytes ? shortenRecord(text, maxRecordBytes) : text
  const wrapped = parse(wrappedLineOf(record)?.text.trim() ?? '')
  const records = wrapped === null ? [record] : [record, wrapped]
  const has = (read: (value: Json) => number | string | null, names: readonly string[], nested = names) =>
    records.some(each => hasField(each, names, read, nested))
  // A field of the line, even one with an invalid value, would override an added field with the same name.
  const unused = (name: string, others: readonly string[]) =>
    [name, ...others].find(each => records.every(record => !Object.hasOwn(record, each))) ?? name
  // A service would show that a program, not a collector, created the record. journald's identifier does not.
  const serviceName = wrapped === null ? 'service' : 'SYSLOG_IDENTIFIER'
  const hasTime = has(value => readTime(value, line.timeMs), timeNames)
  const added = {
    ...(hasTime ? {} : { [unused('time', timeNames)]: line.timeMs, [textTimeField]: line.writtenMs }),
    ...(has(readName, serviceNames, nestedServiceNames)
      ? {}
      : { [unused(serviceName, serviceNames)]: service }),
    ...(release === null || has(readName, releaseNames, nestedReleaseNames)
      ? {}
      : { [unused('release', releaseNames)]: release }),
    ...(has(readName, ['container.name']) ? {} : { 'container.name': line.container }),
  }
  const more = JSON.stringify(added).slice(1, -1)
  if (more === '') return json
  return `{${more}${Object.keys(record).length === 0 ? '' : ','}${json.slice(1)}`
}

/** Creates an event from plain text. Returns `null` for empty lines. */
export function textToSend(joined: Joined, { service, release }: Defaults): string | null {
  const [first] = joined.lines
  const fullText = joined.lines
    .map(line => line.text)
    .join('\n')
    .trimEnd()
  const text = withoutAnsi(fullText.slice(0, maxInputLength)).trimEnd()
  if (first === undefined || text.trim() === '') return null
  const sent = text.slice(0, maxTextLength)
  const cutLength =
    text.length -
    sent.length +
    Math.max(0, fullText.length - maxInputLength) +
    joined.lines.reduce((sum, line) => sum + (line.cutLength ?? 0), 0)
  return JSON.stringify({
    time: first.timeMs,
    [textTimeField]: writtenTimeOf(text, first),
    level: levelOfJoined(joined, first.text) ?? undefined,
    service,
    release: release ?? undefined,
    'container.name': first.container,
    msg: cutLength > 0 ? withCutNote(sent, cutLength) : text,
  })
}

/** Ignores a time without a zone in the output of a container, because its zone may differ from this process's. */
function writtenTimeOf(text: string, { timeMs, writtenMs, container }: Line): number | undefined {
  const found = textTimeOf(text, timeMs)
  const isUsable = found?.hasZone || (writtenMs === undefined && container === undefined)
  return (isUsable ? found?.timeMs : null) ?? writtenMs
}

function levelOfJoined({ hasStack, isFatal }: Joined, head: string): Severity | null {
  if (isFatal) return 'fatal'
  return levelOf(head) ?? (hasStack ? 'error' : null)
}

function parse(json: string): Attributes | null {
  if (!json.startsWith('{') || !json.endsWith('}')) return null
  try {
    const value: Json = JSON.parse(json)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
