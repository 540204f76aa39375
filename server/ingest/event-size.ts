import type { Json, NewEvent } from '../../shared/event.ts'

/** An event with its usual fields and short texts. */
const eventBytes = 600
/** A value in an array or object, including the name of a field. */
const valueBytes = 64

/** Estimates the memory of an event. Many small values take a multiple of their size in the body. */
export function sizeInMemory(event: NewEvent): number {
  const { body, exception, attributes } = event
  const stackLength = (exception?.stack?.length ?? 0) + (exception?.message.length ?? 0)
  return eventBytes + body.length + stackLength + sizeOf(attributes)
}

/** Events have a limited depth. */
function sizeOf(value: Json): number {
  if (typeof value === 'string') return valueBytes + value.length
  if (typeof value !== 'object' || value === null) return valueBytes
  let sizeBytes = valueBytes
  if (Array.isArray(value)) for (const each of value) sizeBytes += sizeOf(each)
  else for (const name in value) sizeBytes += sizeOf(value[name] ?? null)
  return sizeBytes
}
