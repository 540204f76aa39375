import compare from 'semver/functions/compare.js'
import parse from 'semver/functions/parse.js'

/**
 * Compares two releases by semantic version (https://semver.org/#spec-item-11). Returns a negative number if `a` is older,
 * or `null` if either is not a version (such as a commit or a date) or both have the same precedence.
 */
export function compareReleases(a: string, b: string): number | null {
  const [left, right] = [versionOf(a), versionOf(b)]
  return left === null || right === null ? null : compare(left, right) || null
}

/**
 * Whether release `a` is newer than `b`. Releases that are not versions are compared by the times when they were first seen.
 * A release without stored events counts as older.
 * @param firstSeenMs when each stored release of the service was first seen
 */
export function isNewerRelease(a: string, b: string, firstSeenMs: ReadonlyMap<string, number>): boolean {
  const order = compareReleases(a, b)
  if (order !== null) return order > 0
  return (firstSeenMs.get(a) ?? 0) > (firstSeenMs.get(b) ?? 0)
}

function versionOf(release: string) {
  // Loose: calendar versions have leading zeros (26.01.3), and Python pre-releases have no hyphen (1.0.0rc1).
  return parse(release, { loose: true })
}
