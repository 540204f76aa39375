/** Ordered from the fewest to the most permissions. */
export const roles = ['viewer', 'member', 'admin'] as const

/**
 * - `viewer` can only read.
 * - `member` can also change failures, notes and saved searches, send events and upload source maps.
 * - `admin` can also change Sixpane's settings, webhooks and tokens, see the audit log and download backups.
 */
export type Role = (typeof roles)[number]

/** Who sent a request. */
export type User = {
  /** The name shown on changes and notes, and in the audit log; `null` if sign-in is not required. */
  name: string | null
  role: Role
  /** The services whose events the user may see; `null` means all. Only viewers are limited. */
  services: readonly string[] | null
}

/** Whether a role includes the permissions of the role `needed`. */
export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}
