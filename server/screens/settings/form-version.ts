import { createHash } from 'node:crypto'

/** Returns a hash of the stored values that a form shows, for the form's hidden `version` field. */
export function versionOf(stored: unknown): string {
  return createHash('sha256').update(JSON.stringify(stored)).digest('base64url').slice(0, 16)
}

/**
 * Whether the stored values have changed since the form was rendered. A form without a version, which only a script sends,
 * always replaces them.
 */
export function isOutdated(form: URLSearchParams, stored: unknown): boolean {
  const version = form.get('version')
  return version !== null && version !== versionOf(stored)
}
