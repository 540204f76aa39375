/** Describes an object without a message only by its keys, because its values may be secret. */
export function objectWithKeys(keys: readonly string[]): string {
  return `An object with the ${keys.length === 1 ? 'property' : 'properties'} ${keys.join(', ')}`
}
