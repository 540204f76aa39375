import type { Attributes } from '../../../shared/event.ts'
import { HttpError } from '../../http/http-error.ts'
import { maxEvents } from '../collect-events.ts'
import { type DecodedItem, decodeItem, emptyScope, type Scope, textOfError } from './model.ts'
import { ProtoReader } from './proto-reader.ts'
import { readKeyValue } from './protobuf-values.ts'
import { createRoom, type Room } from './values.ts'

/** The limit for fields of one record, with those of its values and unknown ones. */
const maxFields = 1_000_000
/** The limit for fields around the records, each of which is read twice. */
const maxFrameFields = 4 * maxEvents

/**
 * Reads the items of a request one by one. An invalid item does not affect the others.
 * @throws HttpError if the request around the items is invalid
 */
export function* readProtobuf<Item>(
  body: Buffer,
  readItem: (input: ProtoReader, end: number, room: Room) => Item,
): Generator<DecodedItem<Item>> {
  const input = new ProtoReader(body)
  input.fieldsLeft = maxFrameFields
  try {
    // ExportLogsServiceRequest and ExportTraceServiceRequest, ResourceLogs and ResourceSpans, ScopeLogs and ScopeSpans
    // have one layout: https://github.com/open-telemetry/opentelemetry-proto/tree/main/opentelemetry/proto
    for (const resourceEnd of each(input, 1, body.length)) {
      const resource = readResource(input, resourceEnd)
      for (const scopeEnd of each(input, 2, resourceEnd)) {
        const scope = readScope(input, scopeEnd)
        for (const itemEnd of each(input, 2, scopeEnd)) {
          const fieldsLeft = input.fieldsLeft
          input.fieldsLeft = maxFields
          yield decodeItem(() => ({ resource, scope, item: readItem(input, itemEnd, createRoom()) }))
          input.fieldsLeft = fieldsLeft
        }
      }
    }
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw new HttpError(400, `The body is not a valid request in protobuf: ${textOfError(error)}`)
  }
}

/** Visits each message in this field of the message that ends at `end`; yields the end of the inner message. */
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

/** Reads ahead, because fields of a message may be in any order, and returns to the current position. */
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
