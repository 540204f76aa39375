import { cut } from '../../common/cut.ts'
import { list, number, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { ManualGrouping, StoredFingerprint } from '../../failure-grouping.ts'
import { manualGroupingOf } from '../../state/manual-grouping.ts'
import type { Engine } from '../engine/engine.ts'
import { recency } from '../sql/expressions.ts'
import { textList } from '../sql/text-list.ts'

const maxReleases = 5

export function manualGrouping({ select, access, readCached }: Engine): ManualGrouping {
  return manualGroupingOf(access, readCached, {
    async describe(fingerprints, limit, signal) {
      const rows = await select(
        sql`SELECT fingerprint, count() AS count, max(time_us) AS last_us,
            argMax((exception_type, exception_message, body), ${recency}) AS newest,
            maxMapIf([assumeNotNull(release)], [${recency}], release IS NOT NULL) AS releases_seen,
            arrayReverseSort((release, seen) -> seen, releases_seen.1, releases_seen.2) AS all_releases,
            arraySlice(all_releases, 1, ${maxReleases}) AS releases, length(all_releases) AS release_count
          FROM event WHERE fingerprint IN ${textList(fingerprints)}
          GROUP BY fingerprint ORDER BY max(${recency}) DESC LIMIT ${limit}`,
        signal,
      )
      return rows.map(readFingerprint)
    },
    async stored(fingerprints) {
      const rows = await select(
        sql`SELECT DISTINCT fingerprint FROM event WHERE fingerprint IN ${textList(fingerprints)}`,
      )
      return rows.map(row => text(row.fingerprint))
    },
  })
}

function readFingerprint(row: Row): Omit<StoredFingerprint, 'topFrame'> {
  const [type, message, body] = list(row.newest, textOrNull)
  return {
    fingerprint: text(row.fingerprint),
    type: type ?? 'Error',
    message: cut(message ?? body ?? ''),
    count: number(row.count),
    releases: list(row.releases, text),
    releaseCount: number(row.release_count),
    lastSeenMs: number(row.last_us) / 1000,
  }
}
