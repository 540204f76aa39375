import { LRUCache } from 'lru-cache'
import type { SemVer } from 'semver'
import parse from 'semver/functions/parse.js'

/**
 * Matches text that starts with a commit (4f1c9e2), with a build number and a commit (9-4f1c9e2), or with the end of what
 * `git describe` prints (14-g4f1c9e2). Digits alone are a number or a date, not a commit.
 */
const startsWithCommit = /^(?:\d+-)*(?:g[\da-f]{4,40}|(?:sha[-.])?(?=\d*[a-f])[\da-f]{7,40})(?:[-.]|$)/

/**
 * Compares two releases by semantic version (https://semver.org/#spec-item-11). Returns a negative number if `a` is older,
 * and a positive number if it is newer. Returns `null` if either release is not a version but, for example, a commit or a
 * date, if both have the same precedence, or if their first difference is a commit: 1.4.2-14-g4f1c9e2 is 14 commits after
 * 1.4.2, not a pre-release of it. By contrast, 1.5.0-canary.4f1c9e2 is a pre-release of 1.5.0.
 */
export function compareReleases(a: string, b: string): number | null {
  const [left, right] = [versionOf(a), versionOf(b)]
  if (left === null || right === null) return null
  if (left.compareMain(right) === 0 && differByCommit(partsOf(left), partsOf(right))) return null
  return left.compare(right) || null
}

/**
 * Whether release `a` is newer than `b`. Releases that `compareReleases` cannot order are compared by the times when they
 * were first seen. A release without stored events counts as older.
 * @param firstSeenMs when each stored release of the service was first seen
 */
export function isNewerRelease(a: string, b: string, firstSeenMs: ReadonlyMap<string, number>): boolean {
  const order = compareReleases(a, b)
  if (order !== null) return order > 0
  return (firstSeenMs.get(a) ?? 0) > (firstSeenMs.get(b) ?? 0)
}

function differByCommit(a: readonly string[], b: readonly string[]): boolean {
  let shared = 0
  while (shared < a.length && a[shared] === b[shared]) shared += 1
  return [a, b].some(parts => startsWithCommit.test(parts.slice(shared).join('').replace(/^[-.]/, '')))
}

/** Returns the labels of a pre-release and the separators between them. */
function partsOf({ prerelease }: SemVer): string[] {
  return prerelease.join('.').split(/([-.])/)
}

/** Parsed releases. A scan compares the same releases many times, and parsing one takes microseconds. */
const versions = new LRUCache<string, { version: SemVer | null }>({
  // More than the occurrences of a scan and the old releases of a failure.
  max: 20_000,
  // Loose: calendar versions have leading zeros (26.01.3), and Python pre-releases have no hyphen (1.0.0rc1).
  memoMethod: release => ({ version: parse(release, { loose: true }) }),
})
/** The parser rejects longer releases, which would only take memory in the cache. */
const maxVersionLength = 256

function versionOf(release: string): SemVer | null {
  return release.length > maxVersionLength ? null : versions.memo(release).version
}
