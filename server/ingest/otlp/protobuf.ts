import type { Attributes } from '../../../shared/event.ts'
import { mostEvents } from '../ingest-request.ts'
import { RefusedBodyError } from '../read-body.ts'
import { emptyScope, type ReadItem, type Scope } from './model.ts'
import { ProtoReader } from './proto-reader.ts'
import { readKeyValue } from './protobuf-values.ts'
import { orReason, wordsOf } from './unreadable.ts'
import { createRoom, type Room } from './values.ts'

/** Fields that one record may have, those of its values and unknown ones included. */
const mostFields = 1_000_000
/** Likewise of all that lies around the records, each of which is met twice. */
const mostFrameFields = 4 * mostEvents

/**
 * Reads the items of a request one by one. A record that can't be read is told and stops no other.
 * @throws RefusedBodyError where what lies around the records is broken
 */
export function* readProtobuf<Item>(
  body: Buffer,
  readItem: (input: ProtoReader, end: number, room: Room) => Item,
): Generator<ReadItem<Item>> {
  const input = new ProtoReader(body)
  input.fieldsLeft = mostFrameFields
  try {
    // ExportLogsServiceRequest and ExportTraceServiceRequest, ResourceLogs and ResourceSpans, ScopeLogs and ScopeSpans
    // have one layout: https://github.com/open-telemetry/opentelemetry-proto/tree/main/opentelemetry/proto
    for (const resourceEnd of each(input, 1, body.length)) {
      const resource = readResource(input, resourceEnd)
      for (const scopeEnd of each(input, 2, resourceEnd)) {
        const scope = readScope(input, scopeEnd)
        for (const itemEnd of each(input, 2, scopeEnd)) {
          const fieldsLeft = input.fieldsLeft
          input.fieldsLeft = mostFields
          yield orReason(() => ({ resource, scope, item: readItem(input, itemEnd, createRoom()) }))
          input.fieldsLeft = fieldsLeft
        }
      }
    }
  } catch (error) {
    if (error instanceof RefusedBodyError) throw error
    throw new RefusedBodyError(400, `The body is no such request in protobuf: ${wordsOf(error)}`)
  }
}

/** Stops at each message that stands in this field of the message that ends at `end`; gives where it ends. */
function* each(input: ProtoReader, wanted: number, end: number): Generator<number> {
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    if (field !== wanted) {
      input.skip()
      continue
    }
    const inner = input.message()
    if (inner > end) throw new Error('a message reaches beyond the one around it')
    yield inner
    input.position = inner
  }
}

/** What comes first in a message need not be written first: it is looked for before the rest is read. */
function before<Value>(input: ProtoReader, read: () => Value): Value {
  const { position } = input
  const value = read()
  input.position = position
  return value
}

function readResource(input: ProtoReader, end: number): Attributes {
  return before(input, () => {
    const attributes: Attributes = {}
    const room = createRoom()
    for (const resourceEnd of each(input, 1, end)) {
      for (let field = input.next(resourceEnd); field !== 0; field = input.next(resourceEnd)) {
        if (field === 1) readKeyValue(input, attributes, room)
        else input.skip()
      }
    }
    return attributes
  })
}

function readScope(input: ProtoReader, end: number): Scope {
  return before(input, () => {
    const scope = { ...emptyScope, attributes: {} }
    const room = createRoom()
    for (const scopeEnd of each(input, 1, end)) {
      for (let field = input.next(scopeEnd); field !== 0; field = input.next(scopeEnd)) {
        if (field === 1) scope.name = input.string()
        else if (field === 2) scope.version = input.string()
        else if (field === 3) readKeyValue(input, scope.attributes, room)
        else input.skip()
      }
    }
    return scope
  })
}
