import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sourcesSignature } from './sources.mjs'

function project(t: Test) {
  return t.testdir({
    'package.json': '{}',
    'package-lock.json': '{}',
    scripts: { 'build.mjs': '', build: { 'options.mjs': '', 'fonts.test.ts': '' } },
    client: { 'entry.tsx': 'a', styles: { 'index.css': 'b' }, e2e: { 'server.ts': 'c' } },
    server: { 'main.ts': 'd', 'main.test.ts': 'e' },
    shared: {},
  })
}

t.test('changing a file in the build changes the signature', async t => {
  const folder = project(t)
  const seen = new Set([await sourcesSignature(folder)])
  const changes = [
    () => writeFileSync(join(folder, 'server', 'main.ts'), 'longer'),
    () => utimesSync(join(folder, 'client', 'styles', 'index.css'), 1, 1),
    () => writeFileSync(join(folder, 'shared', 'new.ts'), ''),
    () => rmSync(join(folder, 'client', 'entry.tsx')),
    () => writeFileSync(join(folder, 'scripts', 'build.mjs'), '// other steps'),
    () => writeFileSync(join(folder, 'scripts', 'build', 'options.mjs'), '// other options'),
    () => writeFileSync(join(folder, 'package.json'), '{ "version": "2" }'),
    () => writeFileSync(join(folder, 'package-lock.json'), '{ "packages": {} }'),
  ]
  for (const [index, change] of changes.entries()) {
    change()
    seen.add(await sourcesSignature(folder))
    t.equal(seen.size, index + 2)
  }
})

t.test('tests and backup files do not change the signature', async t => {
  const folder = project(t)
  const before = await sourcesSignature(folder)
  writeFileSync(join(folder, 'server', 'main.test.ts'), 'longer')
  writeFileSync(join(folder, 'client', 'e2e', 'server.ts'), 'longer')
  writeFileSync(join(folder, 'server', 'main.ts~'), 'backup')
  writeFileSync(join(folder, 'scripts', 'build', 'fonts.test.ts'), 'longer')
  t.equal(await sourcesSignature(folder), before)
})
