import type { Attributes } from '../../../shared/event.ts'
import { HttpError } from '../../http/http-error.ts'
import { maxEvents } from '../collect-events.ts'
import { ProtoReader } from '../proto-reader.ts'
import { type DecodedItem, decodeItem, errorMessageOf, type Scope } from './model.ts'
import { readKeyValue } from './protobuf-values.ts'
import { createBudget, type ValueBudget } from './values.ts'

/** Maximum number of fields in one record, including unknown fields and the fields in its values. */
export const maxFields = 200_000
/**
 * Maximum number of fields outside the records. The fields of resources and scopes count twice, because they are read twice.
 */
const maxContainerFields = 4 * maxEvents
/** Maximum number of fields outside the records to read between two pauses. */
const fieldsPerPause = 10_000

/**
 * Reads the items of a request one at a time. An invalid item does not affect the others. Yields `null` where the caller can
 * pause.
 * @throws HttpError if a part of the request outside the items is invalid
 */
export function* readProtobuf<Item>(
  body: Buffer,
  readItem: (input: ProtoReader, end: number, budget: ValueBudget) => Item,
): Generator<DecodedItem<Item> | null> {
  const input = new ProtoReader(body)
  input.fieldsLeft = maxContainerFields
  try {
    // At each level, the messages for logs (ExportLogsServiceRequest, ResourceLogs, ScopeLogs) and for traces have the same
    // layout: https://github.com/open-telemetry/opentelemetry-proto/tree/main/opentelemetry/proto
    for (const resourceEnd of each(input, 1, body.length)) {
      // Pause here too, because resources and scopes may be empty.
      yield null
      if (resourceEnd === null) continue
      const resource = yield* readResource(input, resourceEnd)
      for (const scopeEnd of each(input, 2, resourceEnd)) {
        yield null
        if (scopeEnd === null) continue
        const scope = yield* readScope(input, scopeEnd)
        for (const itemEnd of each(input, 2, scopeEnd)) {
          if (itemEnd === null) {
            yield null
            continue
          }
          const fieldsLeft = input.fieldsLeft
          input.fieldsLeft = maxFields
          yield decodeItem(() => ({ resource, scope, item: readItem(input, itemEnd, createBudget()) }))
          input.fieldsLeft = fieldsLeft
        }
      }
    }
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw new HttpError(400, `The body is not a valid request encoded as protobuf: ${errorMessageOf(error)}`)
  }
}

/**
 * Yields the end position of each message in field `wanted` of the message that ends at `end`. Yields `null` where the caller
 * can pause.
 */
function* each(input: ProtoReader, wanted: number, end: number): Generator<number | null> {
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    if (input.fieldsLeft % fieldsPerPause === 0) yield null
    if (field !== wanted) {
      input.skip()
      continue
    }
    const inner = input.message()
    if (inner > end) throw new Error('a message extends beyond its parent')
    yield inner
    input.position = inner
  }
}

/** Reads ahead, because a message's fields may be in any order, then moves back to the original position. */
function* readResource(input: ProtoReader, end: number): Generator<null, Attributes> {
  const { position } = input
  const attributes: Attributes = {}
  const budget = createBudget()
  for (const resourceEnd of each(input, 1, end)) {
    if (resourceEnd === null) yield null
    else {
      for (let field = input.next(resourceEnd); field !== 0; field = input.next(resourceEnd)) {
        if (field === 1) readKeyValue(input, attributes, budget)
        else input.skip()
      }
    }
  }
  input.position = position
  return attributes
}

/** Reads ahead, like `readResource`. */
function* readScope(input: ProtoReader, end: number): Generator<null, Scope> {
  const { position } = input
  const scope: Scope = { name: '', version: '', attributes: {} }
  const budget = createBudget()
  for (const scopeEnd of each(input, 1, end)) {
    if (scopeEnd === null) yield null
    else {
      for (let field = input.next(scopeEnd); field !== 0; field = input.next(scopeEnd)) {
        if (field === 1) scope.name = input.string()
        else if (field === 2) scope.version = input.string()
        else if (field === 3) readKeyValue(input, scope.attributes, budget)
        else input.skip()
      }
    }
  }
  input.position = position
  return scope
}
