import { ownService } from '../../shared/event.ts'

/** Removes invisible characters, which would make different names look the same. */
export function plainName(name: string): string {
  return name.replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '').trim()
}

/**
 * Whether a service name is reserved for Sixpane's own events. Public endpoints do not accept such names. Names that differ
 * from Sixpane's only in case, which searches ignore, or in accents, width or invisible characters are reserved, too.
 */
export function isOwnName(name: string): boolean {
  return plainName(name.normalize('NFKD').replaceAll(/\p{M}/gu, '')).toLowerCase() === ownService
}
