import {
  holderNames,
  nestedReleaseNames,
  nestedServiceNames,
  releaseNames,
  serviceNames,
  timeNames,
} from '../../shared/field-names.ts'
import { textTimeField, textTimeOf } from '../../shared/text-time.ts'
import { wrappedLineOf } from '../../shared/wrapped-line.ts'
import type { Joined } from './join-lines.ts'
import type { Line } from './line.ts'
import { type Level, levelOf, withoutAnsi } from './plain-text.ts'

/** The service and release of lines that do not contain them. */
export type Defaults = { service: string; release: string | null }

/**
 * The server stores at most 64 KiB per string. Text of this length does not exceed the server's line limit, even when
 * escaped.
 */
const maxTextLength = 64_000

/**
 * Adds missing fields, such as the time and service, to a line that is a JSON object. The server unwraps a line that a log
 * collector wrapped, so its fields are not missing. Returns `null` for other lines.
 */
export function recordToSend(line: Line, { service, release }: Defaults): string | null {
  const json = line.text.trim()
  const record = parse(json)
  if (record === null) return null
  const wrapped = parse(wrappedLineOf(record)?.text.trim() ?? '')
  const records = wrapped === null ? [record] : [record, wrapped]
  const holders = records.flatMap(each => ['attributes', ...holderNames].map(name => fieldOf(each, name)))
  const has = (names: readonly string[], nestedNames = names) =>
    records.some(each => hasField(each, names)) || holders.some(holder => hasField(holder, nestedNames))
  const added = {
    ...(has(timeNames) ? {} : { time: line.timeMs, [textTimeField]: line.writtenMs }),
    ...(has(serviceNames, nestedServiceNames) ? {} : { service }),
    ...(release === null || has(releaseNames, nestedReleaseNames) ? {} : { release }),
    ...(has(['container.name']) ? {} : { 'container.name': line.container }),
  }
  const more = JSON.stringify(added).slice(1, -1)
  if (more === '') return json
  return `{${more}${Object.keys(record).length === 0 ? '' : ','}${json.slice(1)}`
}

/** Whether the record has one of the fields. A dot in a name is either part of a key or separates nested keys. */
function hasField(record: unknown, names: readonly string[]): boolean {
  return names.some(
    name =>
      fieldOf(record, name) !== undefined ||
      [...name.matchAll(/\./g)].some(({ index }) =>
        hasField(fieldOf(record, name.slice(0, index)), [name.slice(index + 1)]),
      ),
  )
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return Reflect.get(value, name)
}

/** Creates an event from plain text. Returns `null` for empty lines. */
export function textToSend(joined: Joined, { service, release }: Defaults): string | null {
  const [first] = joined.lines
  const whole = joined.lines.map(line => line.text).join('\n')
  // Truncates the text before removing escape codes, with a margin for them.
  const text = withoutAnsi(whole.slice(0, 2 * maxTextLength)).trimEnd()
  if (first === undefined || text.trim() === '') return null
  const cut = text.length - maxTextLength + Math.max(0, whole.length - 2 * maxTextLength)
  return JSON.stringify({
    time: first.timeMs,
    [textTimeField]: writtenTimeOf(text, first),
    level: levelOfJoined(joined, first.text) ?? undefined,
    service,
    release: release ?? undefined,
    'container.name': first.container,
    msg: text.length > maxTextLength ? `${text.slice(0, maxTextLength)} … [${cut} characters cut]` : text,
  })
}

/** Ignores a time without a zone in the output of a container, because its zone may differ from this process's. */
function writtenTimeOf(text: string, { timeMs, writtenMs, container }: Line): number | undefined {
  const found = textTimeOf(text, timeMs)
  const isUsable = found?.hasZone || (writtenMs === undefined && container === undefined)
  return (isUsable ? found?.timeMs : null) ?? writtenMs
}

function levelOfJoined({ hasStack, isFatal }: Joined, head: string): Level | null {
  if (isFatal) return 'fatal'
  return levelOf(head) ?? (hasStack ? 'error' : null)
}

function parse(json: string): object | null {
  if (!json.startsWith('{') || !json.endsWith('}')) return null
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
