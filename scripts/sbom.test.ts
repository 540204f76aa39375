import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { root } from './prepare/root.mjs'
import { createSbom } from './sbom.mjs'

const application = { name: 'sixpane', version: '1.0.0', license: 'MIT' }
const integrity = `sha512-${Buffer.alloc(64, 255).toString('base64')}`
const inputsOf = (...files: string[]) => ({
  inputs: Object.fromEntries(files.map(file => [file, { bytes: 1, imports: [] }])),
  outputs: {},
})

t.test('lists each package whose code is in a bundle once, with version, license and hash', async t => {
  const { metadata, components } = createSbom(
    application,
    [
      inputsOf('server/main.ts', 'node_modules/a/index.js', 'node_modules/a/lib/b.js'),
      inputsOf('node_modules/a/index.js', 'node_modules/a/node_modules/@scope/b/index.js'),
    ],
    {
      'node_modules/a': { version: '1.0.0', license: 'ISC', integrity },
      'node_modules/a/node_modules/@scope/b': { version: '2.0.0', license: '(MIT OR Apache-2.0)' },
      'node_modules/tool': { version: '3.0.0' },
    },
    { 'node_modules/native': { version: '4.0.0', license: 'MIT' } },
  )
  t.match(metadata.component, { name: 'sixpane', version: '1.0.0' })
  t.same(
    components.map(({ purl, licenses }) => [purl, licenses]),
    [
      ['pkg:npm/%40scope/b@2.0.0', [{ expression: '(MIT OR Apache-2.0)' }]],
      ['pkg:npm/a@1.0.0', [{ license: { id: 'ISC' } }]],
      ['pkg:npm/native@4.0.0', [{ license: { id: 'MIT' } }]],
    ],
  )
  t.same(components[1]?.hashes, [{ alg: 'SHA-512', content: 'ff'.repeat(64) }])
})

t.test('a package that the lockfile does not list is an error', async t => {
  t.throws(
    () => createSbom(application, [inputsOf('node_modules/a/index.js')], {}, {}),
    /does not list node_modules\/a/,
  )
})

t.test('the build lists every direct dependency with a license and a hash, and no tool', async t => {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const sbom: ReturnType<typeof createSbom> = JSON.parse(
    await readFile(join(root, 'dist', 'sbom.json'), 'utf8'),
  )
  const names = new Set(sbom.components.map(({ name }) => name))
  for (const name of Object.keys(dependencies)) t.ok(names.has(name), name)
  for (const { name, licenses, hashes } of sbom.components) {
    t.ok(licenses?.length, `${name} has a license`)
    t.notOk(packages[`node_modules/${name}`]?.dev, `${name} is not only for development`)
    // The lockfile has no hash of the bindings for other systems.
    const isOptional = name.startsWith('@duckdb/node-bindings-')
    if (!isOptional) t.match(hashes?.[0]?.content, /^[\da-f]{128}$/, name)
  }
})
