// @ts-check
/**
 * `npm run package`: packs the build as two npm packages. `sixpane` contains the clients and the command, without
 * dependencies. `sixpane-server` contains the server and depends on the database's native bindings (about 70 MB), which
 * services that only send events do not need.
 *
 *   npm run package -- --pack-destination FOLDER
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clientManifest } from './build/install-manifest.mjs'
import { readJson } from './build/read-json.mjs'
import { root } from './prepare/root.mjs'
import { run } from './prepare/run.mjs'
import { prepareOrExit } from './prepare.mjs'

const dist = join(root, 'dist')

await prepareOrExit()
const declarations = ['tsc', '-p', join('scripts', 'declarations.json')]
const { code } = await run('npx', ['--no-install', ...declarations], { inherit: true })
if (code !== 0) process.exit(code)

await pack(clientManifest(await readJson('package.json')))
await pack(await readJson('dist/package.json'))

/** @param {{ files: string[] } & Record<string, unknown>} manifest lists the files of the build */
async function pack(manifest) {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-pack-'))
  try {
    for (const file of manifest.files) await cp(join(dist, file), join(folder, file), { recursive: true })
    await cp(join(root, 'LICENSE'), join(folder, 'LICENSE'))
    // The README of the repository refers to documents that are not in the packages.
    const { name, description } = manifest
    const readme = `# ${name}\n\n${description}\n\nThe documentation is in Sixpane's repository.\n`
    await writeFile(join(folder, 'README.md'), readme)
    await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
    const { code } = await run('npm', ['pack', folder, ...process.argv.slice(2)], { inherit: true })
    if (code !== 0) process.exitCode = code
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
