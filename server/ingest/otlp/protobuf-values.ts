import type { Attributes, Json } from '../../../shared/event.ts'
import { setField } from '../../events/clean.ts'
import type { ProtoReader } from '../proto-reader.ts'
import { double, integer, maxDepth, spendValue, type ValueBudget } from './values.ts'

// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/common/v1/common.proto

/** Reads the KeyValue in the current field into `fields`. */
export function readKeyValue(input: ProtoReader, fields: Attributes, budget: ValueBudget, depth = 0): void {
  if (!spendValue(budget)) {
    input.skip()
    return
  }
  const end = input.message()
  let key = ''
  let value: Json = null
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    if (field === 1) key = input.string()
    else if (field === 2) value = readAnyValue(input, budget, depth)
    else input.skip()
  }
  setField(fields, key, value)
}

/** Reads the AnyValue in the current field. */
export function readAnyValue(input: ProtoReader, budget: ValueBudget, depth = 0): Json {
  const end = input.message()
  let value: Json = null
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    if (field === 1) value = input.string()
    else if (field === 2) value = input.bool()
    else if (field === 3) value = integer(input.int64())
    else if (field === 4) value = double(input.double())
    else if (field === 5) value = readArray(input, budget, depth + 1)
    else if (field === 6) value = readMap(input, budget, depth + 1)
    else if (field === 7) value = input.bytes('base64')
    else input.skip()
  }
  return value
}

function readArray(input: ProtoReader, budget: ValueBudget, depth: number): Json {
  if (depth > maxDepth) return tooDeep(input)
  const values: Json[] = []
  const end = input.message()
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    if (field === 1 && spendValue(budget)) values.push(readAnyValue(input, budget, depth))
    else input.skip()
  }
  return values
}

function readMap(input: ProtoReader, budget: ValueBudget, depth: number): Json {
  if (depth > maxDepth) return tooDeep(input)
  const fields: Attributes = {}
  const end = input.message()
  for (let field = input.next(end); field !== 0; field = input.next(end)) {
    if (field === 1) readKeyValue(input, fields, budget, depth)
    else input.skip()
  }
  return fields
}

function tooDeep(input: ProtoReader): Json {
  input.skip()
  return '[deeper]'
}
