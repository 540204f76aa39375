import type { Attributes } from '../../shared/event.ts'
import { containerNames, levelNames, timeNames, topLevelNames } from '../../shared/field-names.ts'
import { readName } from '../../shared/read-value.ts'
import { wrappedLineOf } from '../../shared/wrapped-line.ts'
import { recordHas } from '../events/normalise.ts'
import { Fields, pathsOf } from '../events/take.ts'
import { levelOfLine } from './level-of-line.ts'
import { parseLine } from './parse-line.ts'
import { withOuter } from './with-outer.ts'
import { zonedTimeOf } from './zoned-time.ts'

const times = new Set(timeNames)
const containers = pathsOf(containerNames)
const containerKeys = new Set(topLevelNames(containerNames))

/** What the sender set outside the record. */
type Outside = {
  /** A level, which is more reliable than a level in text. */
  hasLevel?: boolean
  /** A service, which takes precedence over the container. Called only for wrapped lines that name a container. */
  hasService?: () => boolean
}

/**
 * Returns the record in the line that a log collector wrapped. The line's fields take precedence. The line's time, which may
 * be at the start of its text, replaces the time at which the collector read the line. If neither contains a service, the
 * container that the collector named becomes the service. Returns other records unchanged.
 */
export function unwrapLine(record: Attributes, nowMs: number, oldestMs: number, outside?: Outside): Attributes
export function unwrapLine(record: object, nowMs: number, oldestMs: number, outside?: Outside): object
export function unwrapLine(
  record: object,
  nowMs: number,
  oldestMs: number,
  { hasLevel = false, hasService = () => false }: Outside = {},
): object {
  const line = wrappedLineOf(record)
  // A message is JSON that a program may have logged, so it is a line only in a record without a level.
  if (line === undefined || (line.name === 'message' && hasLevel)) return record
  const { [line.name]: _, ...collected }: Attributes = { ...record }
  const parsed = parseLine(line.text, nowMs)
  const timeMs = zonedTimeOf(parsed, nowMs, oldestMs)
  const fields = timeMs === null ? parsed.fields : withOuter({ time: timeMs }, parsed.fields, nowMs)
  const level = hasLevel ? null : levelOfLine(parsed)
  // A field of the line, even one with an invalid value, would override a level with the same name.
  const levelName = levelNames.find(name => !Object.hasOwn(fields, name))
  const levels = level === null || levelName === undefined ? {} : { [levelName]: level }
  if (!recordHas.time(fields, nowMs))
    return withService(withOuter({ ...collected, ...levels }, fields, nowMs), hasService)
  const others = Object.fromEntries(Object.entries(collected).filter(([key]) => !times.has(key)))
  return withService({ ...others, ...levels, ...fields }, hasService)
}

/** Adds the container in journald's field for it, unless the record contains a service. */
function withService(record: Attributes, hasService: () => boolean): Attributes {
  // Most lines name no container, and this test is faster than searching for a service.
  if (!Object.keys(record).some(key => containerKeys.has(key))) return record
  if (recordHas.service(record) || hasService()) return record
  const container = new Fields(record).find(containers, readName)
  return container === null ? record : { ...record, CONTAINER_NAME: container.replace(/^\//, '') }
}
