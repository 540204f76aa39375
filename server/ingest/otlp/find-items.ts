import { HttpError } from '../../http/http-error.ts'
import { maxEvents, tooMany } from '../collect-events.ts'
import { JsonCursor, type JsonSpan, startOfJson } from '../json-cursor.ts'

/** Maximum number of resources and scopes in one request. Even empty ones take time to process. */
const maxFrames = 2 * maxEvents

/** The names of the fields that contain the items, outermost first. */
export type FrameNames = readonly [resources: string, scopes: string, items: string]

/** The positions of a resource, its scopes and their items in the body. */
export type ResourceFrame = { resource: JsonSpan | null; scopes: ScopeFrame[] }
type ScopeFrame = { scope: JsonSpan | null; items: JsonSpan[] }

/**
 * Finds the items of a JSON request. Parses nothing yet, because a resource may follow its items.
 * @throws Error if the request is not JSON, HttpError 413 if it has too many parts
 */
export function* findItems(
  body: Buffer,
  [resources, scopes, items]: FrameNames,
): Generator<ResourceFrame | null> {
  const cursor = new JsonCursor(body, startOfJson(body))
  let framesLeft = maxFrames
  let itemsLeft = maxEvents
  const countFrame = () => {
    framesLeft -= 1
    if (framesLeft < 0) throw new HttpError(413, 'There are too many resources and scopes in one request')
  }
  for (const field of cursor.fields()) {
    if (field?.name !== resources) {
      if (field === null) yield null
      continue
    }
    for (const element of elementsOf(cursor, resources)) {
      if (element === null) yield null
      else {
        countFrame()
        yield yield* readResourceFrame()
      }
    }
  }
  if ((yield* cursor.peek()) !== -1) throw new Error('it is not a single JSON object')

  function* readResourceFrame(): Generator<null, ResourceFrame> {
    const frame: ResourceFrame = { resource: null, scopes: [] }
    for (const field of fieldsOf(cursor, resources)) {
      if (field === null) yield null
      else if (field.name === 'resource') frame.resource = yield* cursor.value()
      else if (field.name === scopes) {
        frame.scopes = []
        for (const element of elementsOf(cursor, scopes)) {
          if (element === null) yield null
          else {
            countFrame()
            frame.scopes.push(yield* readScopeFrame())
          }
        }
      }
    }
    return frame
  }

  function* readScopeFrame(): Generator<null, ScopeFrame> {
    const frame: ScopeFrame = { scope: null, items: [] }
    for (const field of fieldsOf(cursor, scopes)) {
      if (field === null) yield null
      else if (field.name === 'scope') frame.scope = yield* cursor.value()
      else if (field.name === items) {
        frame.items = []
        for (const element of elementsOf(cursor, items)) {
          if (element === null) yield null
          else {
            itemsLeft -= 1
            if (itemsLeft < 0) throw tooMany('records')
            frame.items.push(yield* cursor.value())
          }
        }
      }
    }
    return frame
  }
}

/** Like `cursor.elements()`, but accepts `null` for a missing list. */
function* elementsOf(cursor: JsonCursor, name: string): ReturnType<JsonCursor['elements']> {
  if ((yield* cursor.peek()) === '['.charCodeAt(0)) yield* cursor.elements()
  else yield* expectNull(cursor, `${name} is not an array`)
}

/** Like `cursor.fields()`, but accepts `null` for a missing message. */
function* fieldsOf(cursor: JsonCursor, name: string): ReturnType<JsonCursor['fields']> {
  if ((yield* cursor.peek()) === '{'.charCodeAt(0)) yield* cursor.fields()
  else yield* expectNull(cursor, `${name} is not an object`)
}

function* expectNull(cursor: JsonCursor, message: string): Generator<null, void> {
  const { start, end } = yield* cursor.value()
  if (cursor.bytes.toString('latin1', start, Math.min(end, start + 5)).trim() !== 'null')
    throw new Error(message)
}
