import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import t from 'tap'
import { root } from './prepare/root.mjs'

t.test('concurrent installations share one folder, and another manifest gets its own', async t => {
  const source = await packageIn(t.testdir({ cache: {} }))
  const { cache, installManifest, installPackage } = await import('./install-package.mjs')

  const installed = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const folder = await installPackage(source)
      // The folder must remain, because programs run from it.
      return {
        folder,
        program: await readFile(join(folder, 'src/program.mjs'), 'utf8'),
        id: (await stat(folder)).ino,
      }
    }),
  )

  t.equal(new Set(installed.map(({ folder }) => folder)).size, 1)
  t.equal(new Set(installed.map(({ id }) => id)).size, 1)
  t.strictSame(new Set(installed.map(({ program }) => program)), new Set(['first']))

  await writeFile(join(root, source, 'src/program.mjs'), 'second')
  const folder = await installPackage(source)
  t.equal(await readFile(join(folder, 'src/program.mjs'), 'utf8'), 'second', 'a changed program is copied')
  t.equal((await stat(folder)).ino, installed[0]?.id, 'without another installation')

  await writeFile(join(root, source, 'package.json'), JSON.stringify({ name: 'example', version: '2.0.0' }))
  t.not(await installPackage(source), folder, 'a changed manifest gets another folder')

  await t.rejects(installManifest('broken', '{'), { name: 'InstallError' })
  const left = (await readdir(cache)).filter(name => name.startsWith('broken'))
  t.same(left, [], 'a failed installation leaves nothing behind')
})

/** Creates a package without dependencies, and an empty cache. Returns the package's folder, relative to the repository. */
async function packageIn(folder: string): Promise<string> {
  process.env.XDG_CACHE_HOME = join(folder, 'cache')
  await mkdir(join(folder, 'example', 'src'), { recursive: true })
  await writeFile(
    join(folder, 'example', 'package.json'),
    JSON.stringify({ name: 'example', version: '1.0.0' }),
  )
  await writeFile(join(folder, 'example', 'src', 'program.mjs'), 'first')
  return relative(root, join(folder, 'example'))
}
