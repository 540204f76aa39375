import { fieldByName, type QueryField, unquoted } from '../../shared/query.ts'

/** Reads the name before the colon of a term. `field` is `null` for an attribute, and `name` is its path. */
export function readName(typed: string): { field: QueryField | null; name: string } {
  const plain = unquoted(typed)
  const name = plain.replace(/^attributes\.(?=.)/, '')
  return { field: name === plain ? fieldByName(name) : null, name }
}
