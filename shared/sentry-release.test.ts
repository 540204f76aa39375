import t from 'tap'
import { splitRelease } from './sentry-release.ts'

t.test('splits a release into package and version', async t => {
  const cases: [string, string | null, string | null][] = [
    ['shop@1.2.3', 'shop', '1.2.3'],
    ['@scope/shop@1.2.3+build', '@scope/shop', '1.2.3+build'],
    [' shop@1.2.3 ', 'shop', '1.2.3'],
    ['1.2.3', null, '1.2.3'],
    ['4e1a98b', null, '4e1a98b'],
    ['@scope', null, '@scope'],
    ['a@b@1', 'a@b', '1'],
    ['shop@', 'shop', null],
    ['', null, null],
    [' ', null, null],
    ['undefined', null, null],
  ]
  for (const [release, packageName, version] of cases)
    t.same(splitRelease(release), { packageName, version }, release)
})
