import { createHash } from 'node:crypto'
import type { LogEvent } from '../../shared/event.ts'
import { microsOf } from '../store/common/time.ts'

/** The number of events, and a checksum of their contents. */
export type Digest = { readonly events: number; readonly checksum: string }

/** A digest that is computed while events are read, in any order. */
export type RunningDigest = { add(event: LogEvent): void; result(): Digest }

const [hexDigits, modulus] = [12, 2 ** 48]

/** The checksum consists of two sums, one for each of the first two 48-bit parts of the events' hashes. */
export function createDigest(): RunningDigest {
  let events = 0
  let [low, high] = [0, 0]
  return {
    add(event) {
      const hash = hashOf(event)
      events += 1
      low = (low + Number.parseInt(hash.slice(0, hexDigits), 16)) % modulus
      high = (high + Number.parseInt(hash.slice(hexDigits, 2 * hexDigits), 16)) % modulus
    },
    result: () => ({ events, checksum: [high, low].map(toHex).join('') }),
  }
}

export function isEqual(a: Digest, b: Digest): boolean {
  return a.events === b.events && a.checksum === b.checksum
}

/** Returns a hash of all fields. An event has the same hash in every engine. */
export function hashOf(event: LogEvent): string {
  const { exception } = event
  const fields = [
    event.id,
    microsOf(event.timeMs),
    event.severity,
    event.service,
    event.release,
    event.source,
    event.body,
    event.requestId,
    event.traceId,
    event.spanId,
    event.method,
    event.route,
    event.status,
    event.durationMs,
    exception && [exception.type, exception.message, exception.stack],
    event.digest,
    event.fingerprint,
    event.attributes,
  ]
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

function toHex(number: number): string {
  return number.toString(16).padStart(hexDigits, '0')
}
