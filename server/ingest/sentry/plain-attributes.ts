import type { Attributes, Json } from '../../../shared/event.ts'
import { setField } from '../../events/clean.ts'
import { object } from './json-fields.ts'

/** `{ sku: { value: 'A1', type: 'string' } }` becomes `{ sku: 'A1' }`. */
export function plainAttributes(given: Json | undefined): Attributes {
  const typed = object(given)
  const plain: Attributes = {}
  for (const name of Object.keys(typed)) setField(plain, name, object(typed[name]).value ?? null)
  return plain
}
