import { text } from '../common/rows.ts'
import { sql } from '../common/sql.ts'
import type { Engine } from './engine/engine.ts'
import { textList } from './sql/text-list.ts'

/** Must be longer than any upload takes, because an upload stores the content before the source map. */
const minUnusedMs = 600_000

/**
 * Returns a function that deletes contents that belong to no source map, because the map was deleted to make room or its
 * upload was interrupted. Call the function regularly: contents are deleted only if an earlier call found them at least ten
 * minutes ago.
 */
export function createContentCleanup({
  access,
  select,
  change,
  layout,
}: Pick<Engine, 'access' | 'select' | 'change' | 'layout'>): (nowMs: number) => Promise<void> {
  /** When unused contents were first found, by source map id. */
  let foundMs: ReadonlyMap<string, number> = new Map()

  return async nowMs => {
    const rows = await select(sql`SELECT DISTINCT id FROM source_map_part`)
    const stored = await access(({ sourceMaps }) => new Set(sourceMaps.keys()))
    const unused = rows.map(row => text(row.id)).filter(id => !stored.has(id))
    // If the clock was set back, the time of an earlier call may be in the future.
    const found = new Map(unused.map(id => [id, Math.min(foundMs.get(id) ?? nowMs, nowMs)]))
    const expired = [...found].filter(([, atMs]) => nowMs - atMs >= minUnusedMs).map(([id]) => id)
    // If the deletion has not finished by the next call, it is repeated only after another ten minutes.
    for (const id of expired) found.delete(id)
    foundMs = found
    if (expired.length === 0) return
    await change(sql`ALTER TABLE source_map_part ${layout.on} DELETE WHERE id IN ${textList(expired)}`)
  }
}
