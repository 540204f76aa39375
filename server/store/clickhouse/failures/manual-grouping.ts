import { cut } from '../../common/cut.ts'
import { list, number, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { ManualGrouping, StoredFingerprint } from '../../failure-grouping.ts'
import { manualGroupingOf } from '../../state/manual-grouping.ts'
import type { Engine } from '../engine/engine.ts'
import { descriptionRank, recency } from '../sql/expressions.ts'
import { textList } from '../sql/text-list.ts'

const maxReleases = 5

export function manualGrouping({ select, access, readCached }: Engine): ManualGrouping {
  return manualGroupingOf(access, readCached, {
    async describe(followed, limit, signal) {
      const fingerprints = [...followed.keys()]
      const follows = sql`transform(assumeNotNull(fingerprint), ${textList(fingerprints)}, ${textList([...followed.values()])})`
      const rows = await select(
        sql`SELECT ${follows} AS followed, count() AS count, max(time_us) AS last_us, count() OVER () AS total,
            argMax((exception_type, exception_message, body), ${descriptionRank}) AS newest,
            maxMapIf([assumeNotNull(release)], [${recency}], release IS NOT NULL) AS releases_seen,
            arrayReverseSort((release, seen) -> seen, releases_seen.1, releases_seen.2) AS all_releases,
            arraySlice(all_releases, 1, ${maxReleases}) AS releases, length(all_releases) AS release_count
          FROM event WHERE fingerprint IN ${textList(fingerprints)}
          GROUP BY followed ORDER BY max(${recency}) DESC LIMIT ${limit}`,
        signal,
      )
      return { described: rows.map(readFingerprint), total: number(rows[0]?.total ?? 0) }
    },
    stored: fingerprints => storedFingerprints({ select }, fingerprints),
  })
}

export async function storedFingerprints(
  { select }: Pick<Engine, 'select'>,
  fingerprints: readonly string[],
): Promise<string[]> {
  const rows = await select(
    sql`SELECT DISTINCT fingerprint FROM event WHERE fingerprint IN ${textList(fingerprints)}`,
  )
  return rows.map(row => text(row.fingerprint))
}

function readFingerprint(row: Row): Omit<StoredFingerprint, 'topFrame'> {
  const [type, message, body] = list(row.newest, textOrNull)
  return {
    fingerprint: text(row.followed),
    type: type ?? 'Error',
    message: cut(message ?? body ?? ''),
    count: number(row.count),
    releases: list(row.releases, text),
    releaseCount: number(row.release_count),
    lastSeenMs: number(row.last_us) / 1000,
  }
}
