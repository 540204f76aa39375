import { cut } from '../../common/cut.ts'
import { list, number, type Row, text, textOrNull } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { ManualGrouping, StoredFingerprint } from '../../failure-grouping.ts'
import { failureIdOf, fingerprintsOf } from '../../state/failure-ids.ts'
import { fingerprintsOfMerged, manualGroupingOf, split } from '../../state/manual-grouping.ts'
import type { State } from '../../state/state.ts'
import type { Engine } from '../engine/engine.ts'
import { recency } from '../sql/expressions.ts'
import { textList } from '../sql/text-list.ts'

const maxReleases = 5

export function manualGrouping({ select, access, readCached }: Engine): ManualGrouping {
  return {
    ...manualGroupingOf(access),
    async fingerprints(id, limit, signal) {
      const fingerprints = await readCached(state => fingerprintsOfMerged(state, id), signal)
      if (fingerprints.length === 0) return []
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
      return readCached(state => rows.map(row => readFingerprint(state, row)), signal)
    },
    async split(fingerprint) {
      const fingerprints = await access(state => fingerprintsOf(state, failureIdOf(state, fingerprint)))
      const rows = await select(
        sql`SELECT DISTINCT fingerprint FROM event WHERE fingerprint IN ${textList(fingerprints)}`,
      )
      const stored = new Set(rows.map(row => text(row.fingerprint)))
      return access(state => split(state, fingerprint, stored))
    },
  }
}

function readFingerprint({ signatures }: Pick<State, 'signatures'>, row: Row): StoredFingerprint {
  const fingerprint = text(row.fingerprint)
  const [type, message, body] = list(row.newest, textOrNull)
  return {
    fingerprint,
    type: type ?? 'Error',
    message: cut(message ?? body ?? ''),
    topFrame: signatures.get(fingerprint)?.frames[0] ?? null,
    count: number(row.count),
    releases: list(row.releases, text),
    releaseCount: number(row.release_count),
    lastSeenMs: number(row.last_us) / 1000,
  }
}
