import t from 'tap'
import { releaseVersion } from './sentry-release.ts'

t.test('the version of a release is the text after the package', async t => {
  const cases: [string, string | null][] = [
    ['shop@1.2.3', '1.2.3'],
    ['@scope/shop@1.2.3+build', '1.2.3+build'],
    [' shop@1.2.3 ', '1.2.3'],
    ['1.2.3', '1.2.3'],
    ['4e1a98b', '4e1a98b'],
    ['@scope', '@scope'],
    ['a@b@1', '1'],
    ['shop@', null],
    ['', null],
    [' ', null],
    ['undefined', null],
  ]
  for (const [release, version] of cases) t.equal(releaseVersion(release), version, release)
})
