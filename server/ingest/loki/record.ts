import { readLevel } from '../../../shared/read-level.ts'
import { readTime } from '../../../shared/read-time.ts'
import { recordHas } from '../../events/normalise.ts'
import { levelOfLine } from '../level-of-line.ts'
import { parseLine } from '../parse-line.ts'
import { withOuter } from '../with-outer.ts'
import { unwrapLine } from '../wrapped-line.ts'
import { zonedTimeOf } from '../zoned-time.ts'
import type { Labels } from './labels.ts'

/** The labels of an entry. Service and level are not in `fields`, and are `undefined` if no label contains them. */
export type LabelFields = {
  service: unknown
  /** A workload or container. Becomes the service name if neither the line nor another label contains one. */
  workload: unknown
  level: unknown
  fields: Labels
}

// Labels that contain the service name, and labels that contain a workload or container, both in Loki's order
// (https://grafana.com/docs/loki/latest/get-started/labels/#default-labels-for-all-users).
const serviceLabels = ['service_name', 'service', 'app', 'application', 'name', 'app_kubernetes_io_name']
const workloadLabels = ['container', 'container_name', 'component', 'workload', 'job']
const levelLabels = ['level', 'severity', 'detected_level', 'severity_text']

/** Label names cannot contain dots, so clients replace the dots in OpenTelemetry's names with underscores. */
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

/** Reads the labels of a stream, possibly merged with the structured metadata of one entry. */
export function readLabelFields(labels: Labels): LabelFields {
  const given = new Map(Object.entries(labels).filter(([, value]) => !isAbsent(value)))
  const first = (names: readonly string[]) => names.find(name => given.has(name))
  const of = (name: string | undefined) => (name === undefined ? undefined : given.get(name))
  const service = first(serviceLabels)
  const level = levelLabels.find(name => readLevel(String(given.get(name))) !== null)
  const fields = [...given].filter(([name]) => name !== service && name !== level)
  return {
    service: of(service),
    workload: of(first(workloadLabels)),
    level: of(level),
    fields: Object.fromEntries(fields.map(([name, value]) => [dotted.get(name) ?? name, value])),
  }
}

/** Whether a value is a placeholder that clients send for a missing label. */
function isAbsent(value: unknown): boolean {
  return value === null || value === '' || value === 'undefined' || value === 'null'
}

/**
 * Returns the record of one entry. Fields in the line, and a time with a zone at the start of text, take precedence over
 * labels and the entry's time. A level in text is used only if no label contains one. A service label overrides the line's
 * `name`, which may mean something else; a label with a workload or container does not.
 */
export function recordOf(
  labels: LabelFields,
  { line, timeUnixNano }: { line: string; timeUnixNano: string },
  { nowMs, oldestMs }: { nowMs: number; oldestMs: number },
): object {
  const parsed = parseLine(line, nowMs)
  const { text } = parsed
  const hasService = () => labels.service !== undefined
  const fields = text === null ? unwrapLine(parsed.fields, nowMs, oldestMs, { hasService }) : parsed.fields
  const record: Record<string, unknown> = { ...labels.fields }
  // A `service` or `level` field in the line may have an invalid value, which must not replace the label's value.
  if (labels.service !== undefined) {
    const isInvalid = Object.hasOwn(fields, 'service') && !recordHas.service(fields)
    record[isInvalid ? 'serviceName' : 'service'] = labels.service
  } else if (labels.workload !== undefined && !recordHas.service(fields)) record.serviceName = labels.workload
  const textLevel = levelOfLine(parsed)
  if (labels.level !== undefined && !recordHas.severity(fields)) record.severityText = labels.level
  else if (textLevel !== null) record.severityText = textLevel
  const textTimeMs = zonedTimeOf(parsed, nowMs, oldestMs)
  if (textTimeMs !== null) return { ...record, ...withOuter({ time: textTimeMs }, fields, nowMs) }
  if (!recordHas.time(fields, nowMs)) {
    record.timeUnixNano = readTime(millisecondsOf(timeUnixNano), nowMs) ?? timeUnixNano
  }
  return { ...record, ...fields }
}

/** Converts the text, because a number cannot represent nanoseconds since 1970 exactly. Omits the last three digits. */
function millisecondsOf(timeUnixNano: string): string {
  return timeUnixNano.replace(/^(\d{13})(\d{3})\d{3}$/, '$1.$2')
}
