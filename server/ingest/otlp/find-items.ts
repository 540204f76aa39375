import { HttpError } from '../../http/http-error.ts'
import { maxEvents, tooMany } from '../collect-events.ts'
import { JsonCursor, type JsonSpan, startOfJson } from '../json-cursor.ts'

/** Maximum number of containers (resources and scopes) in one request. Even empty containers take time to process. */
const maxContainers = 2 * maxEvents

/** The names of the lists of resources, scopes and items, outermost first. */
export type ListNames = readonly [resources: string, scopes: string, items: string]

/** The positions of a resource, its scopes and their items in the body. */
export type ResourcePositions = { resource: JsonSpan | null; scopes: ScopePositions[] }
type ScopePositions = { scope: JsonSpan | null; items: JsonSpan[] }

/**
 * Finds the items of a JSON request. Does not parse the items yet, because their resource may follow them.
 * @throws Error if the request is not JSON, HttpError 413 if it has too many parts
 */
export function* findItems(
  body: Buffer,
  [resources, scopes, items]: ListNames,
): Generator<ResourcePositions | null> {
  const cursor = new JsonCursor(body, startOfJson(body))
  let containersLeft = maxContainers
  let itemsLeft = maxEvents
  const countContainer = () => {
    containersLeft -= 1
    if (containersLeft < 0) throw new HttpError(413, 'There are too many resources and scopes in one request')
  }
  for (const field of cursor.fields()) {
    if (field?.name !== resources) {
      if (field === null) yield null
      continue
    }
    for (const element of elementsOf(cursor, resources)) {
      if (element === null) yield null
      else {
        countContainer()
        yield yield* findResource()
      }
    }
  }
  if ((yield* cursor.peek()) !== -1) throw new Error('it is not a single JSON object')

  function* findResource(): Generator<null, ResourcePositions> {
    const found: ResourcePositions = { resource: null, scopes: [] }
    for (const field of fieldsOf(cursor, resources)) {
      if (field === null) yield null
      else if (field.name === 'resource') found.resource = yield* cursor.value()
      else if (field.name === scopes) {
        found.scopes = []
        for (const element of elementsOf(cursor, scopes)) {
          if (element === null) yield null
          else {
            countContainer()
            found.scopes.push(yield* findScope())
          }
        }
      }
    }
    return found
  }

  function* findScope(): Generator<null, ScopePositions> {
    const found: ScopePositions = { scope: null, items: [] }
    for (const field of fieldsOf(cursor, scopes)) {
      if (field === null) yield null
      else if (field.name === 'scope') found.scope = yield* cursor.value()
      else if (field.name === items) {
        found.items = []
        for (const element of elementsOf(cursor, items)) {
          if (element === null) yield null
          else {
            itemsLeft -= 1
            if (itemsLeft < 0) throw tooMany('records')
            found.items.push(yield* cursor.value())
          }
        }
      }
    }
    return found
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
