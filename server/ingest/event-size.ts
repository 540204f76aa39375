import type { Json, NewEvent } from '../../shared/event.ts'

/** Estimated size of an event with common fields and short text. */
const eventBytes = 600
/** Estimated size of a value in an array or object, including its field name. */
const valueBytes = 64

/** Estimates an event's memory use. Small values take up several times as many bytes as in the request body. */
export function sizeInMemory(event: NewEvent): number {
  const { body, exception, attributes } = event
  const stackLength = (exception?.stack?.length ?? 0) + (exception?.message.length ?? 0)
  return eventBytes + body.length + stackLength + sizeOf(attributes)
}

/** Recursion is safe, because events have a limited depth. */
function sizeOf(value: Json): number {
  if (typeof value === 'string') return valueBytes + value.length
  if (typeof value !== 'object' || value === null) return valueBytes
  let sizeBytes = valueBytes
  if (Array.isArray(value)) for (const each of value) sizeBytes += sizeOf(each)
  else for (const name in value) sizeBytes += sizeOf(value[name] ?? null)
  return sizeBytes
}
