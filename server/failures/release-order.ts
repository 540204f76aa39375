type Version = { numbers: number[]; preRelease: string[] }

const pattern = /^v?(\d{1,15})\.(\d{1,15})\.(\d{1,15})(?:-([0-9A-Za-z.-]+))?(?:\+.*)?$/

/**
 * Orders two releases by semantic version (https://semver.org/#spec-item-11): below zero where `a` comes first,
 * `null` where either is none (a commit, a date), or where the version does not tell them apart.
 */
export function compareReleases(a: string, b: string): number | null {
  const [left, right] = [versionOf(a), versionOf(b)]
  if (left === null || right === null) return null
  for (const [index, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[index] ?? 0)
    if (difference !== 0) return difference
  }
  return comparePreReleases(left.preRelease, right.preRelease) || null
}

function versionOf(release: string): Version | null {
  const match = pattern.exec(release)
  if (match === null) return null
  const [, major, minor, patch, preRelease] = match
  return { numbers: [major, minor, patch].map(Number), preRelease: preRelease?.split('.') ?? [] }
}

/** `1.0.0-rc` comes before `1.0.0`, `rc` before `rc.1`, `2` before `10`, a number before a word. */
function comparePreReleases(a: string[], b: string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (const [index, left] of a.entries()) {
    const right = b[index]
    if (right === undefined) return 1
    if (left === right) continue
    const [isNumber, isOtherNumber] = [left, right].map(each => /^\d+$/.test(each))
    if (isNumber && isOtherNumber) return Number(left) - Number(right)
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
    return left < right ? -1 : 1
  }
  return a.length - b.length
}
