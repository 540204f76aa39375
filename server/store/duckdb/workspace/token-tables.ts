import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { cacheTokens } from '../../common/cache-tokens.ts'
import { number, numberOrNull, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { StoredToken, TokenStore } from '../../token-store.ts'
import type { Workspace } from './workspace.ts'

const scopeList = Type.Array(
  Type.Union([
    Type.Literal('ingest'),
    Type.Literal('source-maps'),
    Type.Literal('read'),
    Type.Literal('backup'),
  ]),
)
const serviceList = Type.Array(Type.String())

export function createTokenStore({ query, execute }: Pick<Workspace, 'query' | 'execute'>): TokenStore {
  return cacheTokens({
    async list() {
      const rows = await query(sql`FROM workspace.token ORDER BY created_ms, name, id`)
      return rows.map(readToken)
    },
    add: ({ id, name, createdMs, scopes, services, expiresMs }, hash) =>
      execute(sql`
        INSERT INTO workspace.token (id, name, hash, created_ms, scopes, services, expires_ms)
        VALUES (${id}, ${name}, ${hash}, ${createdMs}, ${JSON.stringify(scopes)},
          ${services && JSON.stringify(services)}, ${expiresMs})`),
    remove: id => execute(sql`DELETE FROM workspace.token WHERE id = ${id}`),
    recordUse: usedMs =>
      execute(
        // `greatest` ignores null.
        ...Array.from(
          usedMs,
          ([id, ms]) => sql`UPDATE workspace.token SET used_ms = greatest(used_ms, ${ms}) WHERE id = ${id}`,
        ),
      ),
  })
}

/** @throws TypeError if the row is from a newer version */
export function readToken(row: Row): StoredToken {
  const scopes: unknown = JSON.parse(text(row.scopes))
  const services: unknown = JSON.parse(textOrNull(row.services) ?? 'null')
  if (!Value.Check(scopeList, scopes) || !(services === null || Value.Check(serviceList, services)))
    throw new TypeError('The store contains a token that this version does not support')
  return {
    id: text(row.id),
    name: text(row.name),
    hash: text(row.hash),
    createdMs: number(row.created_ms),
    scopes,
    services,
    expiresMs: numberOrNull(row.expires_ms),
    usedMs: numberOrNull(row.used_ms),
  }
}
