import { type EventRow, eventSources } from '../shared/event.ts'
import { severities } from '../shared/severity.ts'

/**
 * Parses the events in a live feed message. Returns `null` for an unexpected shape, because the server may run another
 * build. Does not use a schema library, which would be larger than the screen's own code.
 */
export function parseLiveEvents(data: string): EventRow[] | null {
  const value = readJson(data)
  return Array.isArray(value) && value.every(isEventRow) ? value : null
}

/** Parses the number of events that the feed skipped. Returns `null` for an unexpected shape. */
export function parseGap(data: string): number | null {
  const value = readJson(data)
  if (typeof value !== 'object' || value === null || !('missed' in value)) return null
  return isCount(value.missed) ? value.missed : null
}

const checks: Readonly<Record<keyof EventRow, (value: unknown) => boolean>> = {
  id: isCount,
  timeMs: isNumber,
  severity: value => severities.some(severity => severity === value),
  service: isText,
  release: isTextOrNull,
  source: value => eventSources.some(source => source === value),
  body: isText,
  requestId: isTextOrNull,
  traceId: isTextOrNull,
  method: isTextOrNull,
  route: isTextOrNull,
  status: isNumberOrNull,
  durationMs: isNumberOrNull,
  digest: isTextOrNull,
  fingerprint: isTextOrNull,
  exceptionType: isTextOrNull,
  exceptionMessage: isTextOrNull,
  path: value => value === undefined || isText(value),
  attributeTexts: value => value === undefined || isTextRecord(value),
}

function isEventRow(value: unknown): value is EventRow {
  if (typeof value !== 'object' || value === null) return false
  const fields = new Map<string, unknown>(Object.entries(value))
  return Object.entries(checks).every(([name, check]) => check(fields.get(name)))
}

function readJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return null
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isNumber(value: unknown): boolean {
  return Number.isFinite(value)
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || isNumber(value)
}

function isTextRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isText)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTextOrNull(value: unknown): boolean {
  return value === null || isText(value)
}
