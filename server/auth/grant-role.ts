import type { Role, User } from '../../shared/user.ts'
import type { Config } from '../settings/config.ts'
import type { Grant } from '../settings/grants.ts'

/** A user's identity according to the identity provider or the proxy. */
export type Identity = {
  /** The user's name in the audit log. */
  name: string
  /** A verified e-mail address, or `null`. */
  email: string | null
  groups: readonly string[]
}

/**
 * Returns a user with this identity and the highest role that the settings grant it. A viewer with several limited grants
 * may see the services of all these grants.
 * @returns `null` if the settings grant no role
 */
export function grantRole(
  { name, email, groups }: Identity,
  { admins, members, viewers }: Pick<Config, 'admins' | 'members' | 'viewers'>,
): User | null {
  const names = new Set(groups.map(group => group.toLowerCase()))
  const address = email?.toLowerCase() ?? null
  const isFor = ({ who }: Grant) =>
    who === '*' ||
    (who.includes('@') ? address !== null && (who === address || isDomainOf(who, address)) : names.has(who))
  const unlimited: Role | null = admins.some(isFor) ? 'admin' : members.some(isFor) ? 'member' : null
  if (unlimited !== null) return { name, role: unlimited, services: null }
  const matching = viewers.filter(isFor)
  if (matching.length === 0) return null
  const services = matching.some(grant => grant.services === null)
    ? null
    : [...new Set(matching.flatMap(grant => grant.services ?? []))].sort()
  return { name, role: 'viewer', services }
}

/** Whether an item, such as `@example.com`, is the domain of an address. */
function isDomainOf(item: string, address: string): boolean {
  return (
    item.startsWith('@') && address.indexOf('@') === address.length - item.length && address.endsWith(item)
  )
}

/** The message for a user without a role. */
export function noAccess({ name }: Identity): string {
  return `${name} has no access to Sixpane. Ask its operator to add you to SIXPANE_VIEWERS, SIXPANE_MEMBERS or SIXPANE_ADMINS.`
}
