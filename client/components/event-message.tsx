import { Fragment } from 'react'
import type { EventRow } from '../../shared/event.ts'
import { Highlight } from './highlight.tsx'
import { plainText } from './plain-text.ts'

type MessageFields = Pick<EventRow, 'body' | 'method' | 'route' | 'path' | 'status'> & {
  exception: { type: string; message: string } | null
}

/** The parts of an event's message, the most important first. `type` is the type of its exception. */
export type MessageParts = { type: string | null; text: string; context: string[] }

/**
 * Puts the part that identifies an event first: an error's exception, a response's request (servers log the same message for
 * every response), or any other event's logged message. The logged message and the request follow as context. Omits parts
 * that another part contains. Returns an empty `text` if the event has no message.
 */
export function messageParts(event: MessageFields): MessageParts {
  const body = plainText(event.body).trim()
  const request = plainText(requestOf(event))
  if (event.exception !== null) {
    const type = plainText(event.exception.type)
    const message = plainText(event.exception.message).trim()
    const isRepeated = body === message || body === `${type}: ${message}`
    const text = message === '' ? body : message
    const logged = message === '' || isRepeated ? '' : body
    const shown = `${text} ${logged}`
    const path = pathOf(event)
    const isShown = shown.includes(request) || (path !== null && path.length > 1 && shown.includes(path))
    const context = [logged, isShown ? '' : request]
    return { type: text.startsWith(type) ? null : type, text, context: context.filter(part => part !== '') }
  }
  const [text, other] =
    request === '' || (event.status === null && body !== '') ? [body, request] : [request, body]
  // The message of an OTLP request ends with the status.
  return { type: null, text, context: `${text} ${event.status}`.includes(other) ? [] : [other] }
}

/** Shows the parts on one line, with the context muted. */
export function EventMessage({ event, marks = [] }: { event: EventRow; marks?: readonly string[] }) {
  const { exceptionType, exceptionMessage } = event
  const exception = exceptionType === null ? null : { type: exceptionType, message: exceptionMessage ?? '' }
  const { type, text, context } = messageParts({ ...event, exception })
  return (
    <>
      {type !== null && (
        <>
          <span className="event-type">
            <Highlight text={type} marks={marks} />
          </span>{' '}
        </>
      )}
      {text === '' && type === null ? (
        <span className="muted">(no message)</span>
      ) : (
        <Highlight text={text} marks={marks} />
      )}
      {context.map(part => (
        <Fragment key={part}>
          {' '}
          <bdi className="muted">
            <Highlight text={part} marks={marks} />
          </bdi>
        </Fragment>
      ))}
    </>
  )
}

function requestOf(event: MessageFields): string {
  return [event.method, pathOf(event)].filter(part => part !== null).join(' ')
}

function pathOf({ route, path }: MessageFields): string | null {
  return route ?? path ?? null
}
