import type { EventRow, LogEvent } from '../../../shared/event.ts'
import { attributeText } from './attribute-text.ts'
import { cut } from './cut.ts'
import { requestPath } from './request-path.ts'

/** Returns the row of an event, as `EventStore.events` does. @param attributes the paths of the attributes to include */
export function rowOf(event: LogEvent, attributes: readonly string[] = []): EventRow {
  const { spanId: _span, exception, attributes: _attributes, ...row } = event
  const path = requestPath(event)
  const fields = {
    ...row,
    body: cut(row.body),
    exceptionType: exception?.type ?? null,
    exceptionMessage: exception === null ? null : cut(exception.message),
    ...(path !== null && { path: cut(path) }),
  }
  if (attributes.length === 0) return fields
  const texts = attributes.flatMap(path => {
    const text = attributeText(event, path)
    return text === null ? [] : [[path, cut(text)]]
  })
  return { ...fields, attributeTexts: Object.fromEntries(texts) }
}
