import type { Attributes } from '../../../shared/event.ts'
import { readTime } from '../../events/read-record.ts'
import type { Labels } from './labels.ts'
import { openLine } from './open-line.ts'

/** What labels say, set apart by what an event has a place for; `undefined` where they don't. */
export type Said = {
  service: unknown
  /** Where it runs, for want of a service. */
  place: unknown
  level: unknown
  fields: Labels
}

// Loki's own order (https://grafana.com/docs/loki/latest/get-started/labels/#default-labels-for-all-users), in two: the
// first name a service, the others where it runs.
const services = ['service_name', 'service', 'app', 'application', 'name', 'app_kubernetes_io_name']
const places = ['container', 'container_name', 'component', 'workload', 'job']
const levels = ['level', 'severity', 'detected_level', 'severity_text']

/** Labels have no dots: how OpenTelemetry's names that an event has a place for are written in them. */
const dotted = new Map(
  [
    'exception.message',
    'exception.stacktrace',
    'exception.type',
    'http.request.method',
    'http.response.status_code',
    'http.route',
    'service.version',
  ].map(name => [name.replaceAll('.', '_'), name]),
)

/** Reads labels, or labels with the structured metadata of one entry. */
export function readSaid(labels: Labels): Said {
  const given = new Map(Object.entries(labels).filter(([, value]) => !isAbsent(value)))
  const first = (names: readonly string[]) => names.find(name => given.has(name))
  const of = (name: string | undefined) => (name === undefined ? undefined : given.get(name))
  const [service, level] = [first(services), first(levels)]
  const fields = [...given].filter(([name]) => name !== service && name !== level)
  return {
    service: of(service),
    place: of(first(places)),
    level: of(level),
    fields: Object.fromEntries(fields.map(([name, value]) => [dotted.get(name) ?? name, value])),
  }
}

/** A client that has no value for a label writes these. */
function isAbsent(value: unknown): boolean {
  return value === null || value === '' || value === 'undefined' || value === 'null'
}

const ownServices = ['service', 'service.name', 'serviceName', 'name', 'app', 'application']
const ownLevels = ['level', 'severity', 'severityText', 'severity_text', 'severityNumber', 'log.level', 'lvl']
const ownTimes = ['time', 'timestamp', '@timestamp', 'ts']

/**
 * One record of an entry: what its line says of itself counts, labels and the time of the entry fill in what it
 * lacks. A label that names the service stands above a mere `name` in the line, which may be anybody's; one that says
 * where it runs stands below.
 */
export function recordOf(
  said: Said,
  { line, timeUnixNano }: { line: string; timeUnixNano: string },
  nowMs: number,
): object {
  const fields = openLine(line)
  const lacks = (names: readonly string[]) => !names.some(name => Object.hasOwn(fields, name))
  const record: Record<string, unknown> = { ...said.fields }
  if (said.service !== undefined) record.service = said.service
  else if (said.place !== undefined && lacks(ownServices)) record.service = said.place
  if (said.level !== undefined && lacks(ownLevels)) record.level = said.level
  if (!hasTime(fields, nowMs)) {
    record.timeUnixNano = readTime(millisecondsOf(timeUnixNano), nowMs) ?? timeUnixNano
  }
  return { ...record, ...fields }
}

function hasTime(fields: Attributes, nowMs: number): boolean {
  return ownTimes.some(name => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    return value !== undefined && readTime(value, nowMs) !== null
  })
}

/** A number can't hold nanoseconds of our days: as a text they keep their microseconds. */
function millisecondsOf(timeUnixNano: string): string {
  return timeUnixNano.replace(/^(\d{13})(\d{3})\d{3}$/, '$1.$2')
}
