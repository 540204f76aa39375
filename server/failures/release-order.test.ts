import fc from 'fast-check'
import SemVer from 'semver/classes/semver.js'
import t from 'tap'
import { compareReleases } from './release-order.ts'

// The example from https://semver.org/#spec-item-11, and edge cases.
const ordered = [
  '0.9.10',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  'v1.0.0+build.7',
  '1.0.1',
  '1.9.0',
  '1.10.0-0',
  '1.10.0',
  '20261121.1.0',
]

t.test('releases are ordered by semantic version', async t => {
  for (const [index, earlier] of ordered.entries()) {
    for (const later of ordered.slice(index + 1)) {
      t.ok(Number(compareReleases(earlier, later)) < 0, `${earlier} < ${later}`)
      t.ok(Number(compareReleases(later, earlier)) > 0, `${later} > ${earlier}`)
    }
  }
})

t.test('equal releases, and releases that are not versions, have no order', async t => {
  for (const other of ['main', '4f1c9e2', '2026-11-21', '1.0', '1.0.0.0', '', '1.0.0/2']) {
    t.equal(compareReleases('1.0.0', other), null, other)
    t.equal(compareReleases(other, '1.0.0'), null, other)
  }
  t.equal(compareReleases('1.0.0', 'v1.0.0+b2'), null)
})

t.test('releases have no order if the first part in which they differ contains a commit', async t => {
  for (const [a, b] of [
    ['v1.4.2', 'v1.4.2-14-gdeadbee'],
    ['v1.4.2-3-gaaaaaaa', 'v1.4.2-14-gdeadbee-dirty'],
    ['1.4.2-4f1c9e2', '1.4.2-0a1b2c3'],
    ['1.4.2-1234567', '1.4.2-sha.4f1c9e2'],
    ['1.5.0-canary.abc1234', '1.5.0-canary.def5678'],
    ['1.5.0-rc-abc1234-20261127', '1.5.0-rc-def5678-20261120'],
    ['1.5.0-beta.2-14-gdeadbee', '1.5.0-beta.3'],
    ['1.5.0-beta.2', '1.5.0-beta.2-14-gdeadbee'],
    ['1.4.2-9-4f1c9e2', '1.4.2-10-0a1b2c3'],
    ['1.5.0-beta.9-4f1c9e2', '1.5.0-beta.10-0a1b2c3'],
    ['1.5.0-rc-9-4f1c9e2', '1.5.0-rc-10-0a1b2c3'],
  ] as const) {
    t.equal(compareReleases(a, b), null, `${a} and ${b}`)
    t.equal(compareReleases(b, a), null, `${b} and ${a}`)
  }
  t.ok(Number(compareReleases('v1.4.2-14-gdeadbee', 'v1.4.3')) < 0)
  t.ok(Number(compareReleases('v1.4.2-14-gdeadbee', 'v1.4.1')) > 0)
  t.ok(Number(compareReleases('1.4.2-20261127', '1.4.2')) < 0, 'digits alone are not a commit')
  for (const [earlier, later] of [
    ['1.5.0-canary.def5678', '1.5.0'],
    ['1.5.0-rc-abc1234-20261127', '1.5.0'],
    ['1.5.0-beta.2-14-gdeadbee', '1.5.0'],
    ['1.5.0-beta.2.abc1234', '1.5.0-beta.10.def5678'],
  ] as const)
    t.ok(Number(compareReleases(earlier, later)) < 0, `${earlier} < ${later}`)
})

t.test('compares calendar versions with leading zeros, and pre-releases without a hyphen', async t => {
  t.ok(Number(compareReleases('26.01.3', '26.01.12')) < 0)
  t.ok(Number(compareReleases('26.09.1', '26.10.1')) < 0)
  t.ok(Number(compareReleases('1.0.0rc1', '1.0.0')) < 0)
})

t.test('swapping two releases reverses their order, for any text', async () => {
  const part = fc.nat({ max: 12 })
  const version = fc
    .tuple(part, part, part, fc.stringMatching(/^(-[a-b0-2.-]{1,5})?$/))
    .map(([major, minor, patch, rest]) => `${major}.${minor}.${patch}${rest}`)
  const release = fc.oneof(version, version, fc.string())
  fc.assert(
    fc.property(release, release, (a, b) => {
      const [forward, backward] = [compareReleases(a, b), compareReleases(b, a)]
      return forward === null
        ? backward === null
        : backward !== null && Math.sign(forward) === -Math.sign(backward)
    }),
  )
})

t.test('each release is parsed once', async t => {
  const parsed = t.capture(SemVer.prototype, 'format', SemVer.prototype.format)
  const releases = Array.from({ length: 100 }, (_, index) => `7.1.${index}`)
  t.strictSame(
    releases.toReversed().sort((a, b) => compareReleases(a, b) ?? 0),
    releases,
  )
  t.equal(parsed().length, releases.length)
  t.equal(compareReleases('main', '7.1.1'), null)
  t.equal(compareReleases('main', '7.1.1'), null, 'a release that is not a version')
})

t.test('a release that is too long for a version has no order', async t => {
  t.equal(compareReleases('1.0.0', `1.0.1-${'a'.repeat(250)}`), -1)
  t.equal(compareReleases('1.0.0', `1.0.1-${'a'.repeat(251)}`), null)
})
