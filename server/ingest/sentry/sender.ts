import type { Attributes } from '../../../shared/event.ts'
import { readDate } from '../../../shared/read-time.ts'
import { splitRelease } from '../../../shared/sentry-release.ts'
import { isOwnName, plainName } from '../own-name.ts'
import { present, text } from './json-fields.ts'

/** The sender's details from the request's URL and the envelope's header. */
export type Sender = {
  /** The service in the path of the DSN. */
  service: string | null
  project: string
  /** Milliseconds to add to the sender's times to correct its clock; 0 if the clock is right. */
  clockOffsetMs: number
  /** The id of the envelope's event. The SDK for PHP does not repeat it in the event. */
  eventId: string | null
}

/** Smaller differences are attributed to delays in transit. Sentry's Relay uses the same limit. */
const minOffsetMs = 55 * 60_000

/** Returns the correction for a sender's clock in milliseconds, based on the envelope's `sent_at`. */
export function clockOffset(sentAt: string | null, nowMs: number): number {
  const offsetMs = sentAt === null ? Number.NaN : nowMs - Date.parse(sentAt)
  return Math.abs(offsetMs) >= minOffsetMs ? offsetMs : 0
}

/**
 * Returns the service in a DSN, or `null`. SDKs add their DSN to an envelope that they send through a tunnel. The URL to
 * which the tunnel forwards the envelope may contain only the project.
 */
export function serviceInDsn(dsn: string | null): string | null {
  const [, service] = /^https?:\/\/[^/]{1,1000}\/([^/?#]{1,300})\/\d{1,20}$/.exec(dsn ?? '') ?? []
  try {
    return service === undefined ? null : decodeURIComponent(service).slice(0, 100)
  } catch {
    return null
  }
}

/** The latest time that a `Date` can represent. */
const maxTimeMs = 8.64e15

/**
 * Converts a time in Sentry's formats, seconds since 1970 or ISO 8601 (UTC if it has no time zone), to milliseconds with
 * microsecond precision, and corrects it by the clock offset. Returns `null` for any other value.
 */
export function timeOf(value: Attributes[string] | undefined, { clockOffsetMs }: Sender): number | null {
  const ms =
    typeof value === 'number' ? value * 1000 : typeof value === 'string' ? parseTime(value) : Number.NaN
  const correctedMs = roundToMicroseconds(ms + clockOffsetMs)
  return Math.abs(correctedMs) <= maxTimeMs ? correctedMs : null
}

function parseTime(value: string): number {
  return /^\d+(?:\.\d+)?$/.test(value) ? Number(value) * 1000 : readDate(value)
}

export function roundToMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/** Returns the service that the application set in tags or attributes, or `null`. */
export function serviceIn(fields: Attributes): string | null {
  return text(fields['service.name']) ?? text(fields.service)
}

/**
 * Returns the service and the release of an item. The service is the first of these that is known: the service in the DSN,
 * the service that the application set, the package in the release, or the project.
 */
export function originOf(
  sender: Sender,
  { named, release }: { named: string | null; release: string | null },
): Attributes {
  const { packageName, version } = splitRelease(release ?? '')
  const service = [sender.service, named, packageName]
    .map(name => plainName(name ?? ''))
    .find(name => name !== '' && !isOwnName(name))
  return present({
    'service.name': service ?? `project-${sender.project}`,
    'service.version': version,
  })
}
