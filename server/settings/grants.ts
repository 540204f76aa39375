import { list, mapped, type Parse } from './parsers.ts'

/** Gives a role to users. */
export type Grant = {
  /** `*` for everyone, an e-mail address, a domain such as `@example.com`, or else the name of a group. In lower case. */
  who: string
  /** The services that the users may see; `null` means all. */
  services: readonly string[] | null
}

const maxGrants = 200
/** An e-mail address may contain `+` before its `@`. */
const shape = /^(?<who>(?:[^=+]|\+(?=[^=]*@)){1,200})(?:=(?<services>[^=]{1,2000}))?$/

/** Accepts a list of grants such as `@example.com,partners=shop+cart`. @param limits whether grants may list services */
export function grants({ limits }: { limits: boolean }): Parse<readonly Grant[]> {
  const problem = limits
    ? `must be at most ${maxGrants} e-mail addresses, domains (@example.com) or groups, each optionally with services: partners=shop+cart`
    : `must be at most ${maxGrants} e-mail addresses, domains (@example.com) or groups`
  const isItem = (item: string) => {
    const grant = readGrant(item)
    return grant !== null && (limits || grant.services === null)
  }
  return mapped(list({ isItem, maxItems: maxGrants, problem }), items =>
    Object.freeze(items.flatMap(item => readGrant(item) ?? [])),
  )
}

function readGrant(item: string): Grant | null {
  const { who, services } = shape.exec(item)?.groups ?? {}
  if (who === undefined) return null
  const names = services?.split('+').map(service => service.trim())
  if (names?.includes('')) return null
  return { who: who.trim().toLowerCase(), services: names ?? null }
}

export function writeGrants(all: readonly Grant[]): string {
  return all.map(({ who, services }) => (services === null ? who : `${who}=${services.join('+')}`)).join(', ')
}
