import { copyFile, cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { packagesStamp } from './prepare/packages.mjs'
import { root } from './prepare/root.mjs'

/** During the first build, the user edits a file. */
const build = `
  import { existsSync, writeFileSync } from 'node:fs'
  if (!existsSync('dist/manifest.json')) writeFileSync('server/main.ts', 'edited')
  writeFileSync('dist/manifest.json', '{}')
`

t.test('a file that is edited during a build causes another build the next time', async t => {
  const folder = t.testdir({
    'package.json': '{}',
    'package-lock.json': '{}',
    node_modules: {},
    scripts: { 'build.mjs': build, build: {} },
    client: {},
    server: { 'main.ts': '' },
    shared: {},
  })
  await cp(join(root, 'scripts', 'prepare'), join(folder, 'scripts', 'prepare'), { recursive: true })
  await copyFile(join(root, 'scripts', 'prepare.mjs'), join(folder, 'scripts', 'prepare.mjs'))
  await writeFile(join(folder, 'node_modules', '.sixpane'), `${await packagesStamp(folder)} all`)
  const url = pathToFileURL(join(folder, 'scripts', 'prepare.mjs')).href
  const { prepare }: typeof import('./prepare.mjs') = await import(url)
  const reported: string[] = []
  const report = (line: string) => reported.push(line)
  for (let run = 0; run < 3; run++) t.equal((await prepare(report)).code, 0)
  t.same(reported, ['Building…', 'Building…'])
})
