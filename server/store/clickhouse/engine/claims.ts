import { number, text } from '../../common/rows.ts'
import { type Sql, sql } from '../../common/sql.ts'
import { textList } from '../sql/text-list.ts'
import type { Connection } from './connection.ts'

/** Another owner's claim. */
export type OtherClaim = {
  name: string
  owner: string
  /** Whether the claim is younger than its lifetime and was not released. */
  isLive: boolean
}

/**
 * Claims on names that replicas compete for. ClickHouse has no compare-and-set, so each owner first writes its claim and
 * then reads the other claims. Of two owners, at least one therefore sees the other's claim. An owner that sees another
 * live claim must release its own. All times come from the database server's clock.
 */
export type Claims = {
  /**
   * Claims names, or renews the claims. Returns the other owners' claims, possibly without those that are older than a day.
   * If one of them is live, the caller must release its own claim.
   */
  claim(names: readonly string[], owner: string, lifetimeMs: number): Promise<OtherClaim[]>
  release(names: readonly string[], owner: string): Promise<void>
  /** The names with this prefix that have a live claim. */
  live(prefix: string, lifetimeMs: number): Promise<Set<string>>
}

export function createClaims({ select, insert }: Pick<Connection, 'select' | 'insert'>): Claims {
  const write = (names: readonly string[], owner: string, isReleased: boolean) =>
    insert(
      'claim',
      ['name', 'owner', 'is_released'],
      names.map(name => [name, owner, Number(isReleased)]),
    )
  return {
    async claim(names, owner, lifetimeMs) {
      await write(names, owner, false)
      const rows = await select(sql`
        SELECT name, owner,
          argMaxIf(is_released = 0, claimed_us, ${isCurrent(lifetimeMs)}) AS is_live
        FROM claim WHERE name IN ${textList(names)} AND owner <> ${owner}
        GROUP BY name, owner`)
      return rows.map(row => ({
        name: text(row.name),
        owner: text(row.owner),
        isLive: number(row.is_live) === 1,
      }))
    },
    release: (names, owner) => write(names, owner, true),
    async live(prefix, lifetimeMs) {
      const rows = await select(sql`
        SELECT DISTINCT name
        FROM (
          SELECT name, argMax(is_released, claimed_us) AS is_released
          FROM claim WHERE startsWith(name, ${prefix}) AND ${isCurrent(lifetimeMs)}
          GROUP BY name, owner)
        WHERE is_released = 0`)
      return new Set(rows.map(row => text(row.name)))
    },
  }
}

/**
 * Whether a claim is younger than its lifetime. A claim from the distant future was made before the server's clock was set
 * back. If such a claim counted as live, nobody else could get the name until the clock caught up.
 */
function isCurrent(lifetimeMs: number): Sql {
  const nowUs = sql`toUnixTimestamp64Micro(now64(6))`
  const lifetimeUs = lifetimeMs * 1000
  return sql`claimed_us BETWEEN ${nowUs} - ${lifetimeUs} AND ${nowUs} + ${lifetimeUs}`
}
