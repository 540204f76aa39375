/**
 * Runs the build of the Dockerfile's first stage without a container engine, with only the files that the stage copies and
 * the packages that it installs. `npm start` installs the same packages.
 */
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { installLockfile } from './build/install-manifest.mjs'
import { root } from './prepare/root.mjs'
import { run } from './prepare/run.mjs'

t.test('the build stage of the image contains every file and package that the build needs', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-image-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const [, firstStage = ''] = (await readFile(join(root, 'Dockerfile'), 'utf8')).split(/^FROM .*$/m)
  const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n')
  const copies = [...firstStage.matchAll(/^COPY (.+) (\S+)$/gm)]
  t.ok(copies.length > 0)
  for (const [, sources = '', target = ''] of copies) {
    for (const source of sources.split(' ')) {
      t.ok(ignored.includes(`!${source}`), `${source} is part of the build context`)
      const isFolder = target.endsWith('/')
      const path = isFolder ? join(folder, target, source.replace(/^.*\//, '')) : join(folder, target)
      await mkdir(join(path, '..'), { recursive: true })
      await cp(join(root, source), path, { recursive: true })
    }
  }
  for (const path of await packagesWithoutWorkspace()) {
    await mkdir(join(folder, dirname(path)), { recursive: true })
    await symlink(join(root, path), join(folder, path))
  }
  const { code, output } = await run('npm', ['--prefix', folder, 'run', 'build'])
  t.equal(code, 0, output)
  const built = JSON.parse(await readFile(join(folder, 'dist', 'manifest.json'), 'utf8'))
  t.ok(built.chunks.length > 10)
})

/** The folders of the packages that `npm ci --workspaces=false` installs, without the packages nested in them. */
async function packagesWithoutWorkspace(): Promise<string[]> {
  const [manifest, lockfile] = await Promise.all(
    ['package.json', 'package-lock.json'].map(async name =>
      JSON.parse(await readFile(join(root, name), 'utf8')),
    ),
  )
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies }
  const { packages } = installLockfile(lockfile, { ...manifest, dependencies })
  return Object.keys(packages).filter(path => path.lastIndexOf('node_modules/') === 0)
}
