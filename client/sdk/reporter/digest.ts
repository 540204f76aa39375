/** Returns a random id that a visitor can read out and an engineer can search for: 12 hexadecimal digits. */
export function newDigest(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, 12)
}

/** Returns the error's own digest, such as the one that React shows to the visitor. */
export function digestOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const digest: unknown = Reflect.get(error, 'digest')
  return typeof digest === 'string' && digest !== '' ? digest : undefined
}
