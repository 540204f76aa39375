import { ownService } from '../../shared/event.ts'

/** Removes invisible characters, which would make different names look the same. */
export function plainName(name: string): string {
  return name.replaceAll(/\p{C}/gu, '').trim()
}

/**
 * Whether a service name is reserved for Sixpane's own events. Public endpoints do not accept such names. Includes names that
 * look like Sixpane's, and names that searches treat as equal: they ignore case.
 */
export function isOwnName(name: string): boolean {
  return plainName(name.normalize('NFKD').replaceAll(/\p{M}/gu, '')).toLowerCase() === ownService
}
