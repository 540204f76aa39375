import t from 'tap'
import { createSbom } from './sbom.mjs'

const application = { name: 'sixpane', version: '1.0.0', license: 'MIT' }
const integrity = `sha512-${Buffer.alloc(64, 255).toString('base64')}`
const inputsOf = (...files: string[]) => ({
  inputs: Object.fromEntries(files.map(file => [file, { bytes: 1, imports: [] }])),
  outputs: {},
})

t.test('lists each bundled or installed package once, with its version, licence and hash', async t => {
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
