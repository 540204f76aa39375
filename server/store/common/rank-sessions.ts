import type { SessionCounts } from '../event-store.ts'
import { compareText } from './compare-text.ts'

/** How many sessions of a release started or crashed. `name` is `started` or `crashed`. */
export type SessionSum = { service: string; release: string | null; name: string; sum: number }

/** Adds up the sessions of each release. Returns at most `limit` releases, those with the most started sessions first. */
export function rankSessions(sums: readonly SessionSum[], limit: number): SessionCounts[] {
  const byRelease = new Map<string, SessionCounts>()
  for (const { service, release, name, sum } of sums) {
    if (name !== 'started' && name !== 'crashed') continue
    const key = JSON.stringify([service, release])
    const counts = byRelease.get(key) ?? { service, release, started: 0, crashed: 0 }
    byRelease.set(key, { ...counts, [name]: counts[name] + sum })
  }
  return [...byRelease.values()]
    .sort(
      (a, b) =>
        b.started - a.started || compareText(a.service, b.service) || compareText(a.release, b.release),
    )
    .slice(0, limit)
}
