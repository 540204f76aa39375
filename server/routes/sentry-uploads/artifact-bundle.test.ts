import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { bundledMaps } from './artifact-bundle.ts'
import { BundleError } from './bundle-error.ts'
import { bundleOf, simpleBundle, type TestFile, testMap, zipOf } from './testing.ts'
import { zipEntries } from './zip-entries.ts'

function writeBundle(t: Test, bytes: Buffer): string {
  const path = join(t.testdir(), 'bundle.zip')
  writeFileSync(path, bytes)
  return path
}

async function readAll(path: string) {
  const maps: { path: string; content: string }[] = []
  for await (const map of bundledMaps(path)) {
    const content = await map.read().then(String, error => {
      if (error instanceof BundleError) return error.message
      throw error
    })
    maps.push({ path: map.path, content })
  }
  return maps
}

const manifest = { files: { 'a.js.map': { type: 'source_map', url: '~/a.js.map' } } }

t.test('reads the maps of a bundle, with their release and debug id', async t => {
  const debugId = '6f80212a-b3a5-59b6-ba13-06bdfd7a1ce4'
  const path = writeBundle(t, simpleBundle({ debugId }))
  for await (const map of bundledMaps(path)) {
    t.match(map, { path: 'main.js', debugId, bundleRelease: 'shop@1.2.3', sizeBytes: testMap.length })
  }
  t.same(await readAll(path), [{ path: 'main.js', content: testMap }])
})

t.test('ignores entries that the manifest does not list, and listed files that are missing', async t => {
  const path = writeBundle(t, bundleOf(manifest, [{ name: 'b.js.map', content: 'x' }]))
  t.same(await readAll(path), [])
})

t.test('rejects hostile bundles', async t => {
  const cases: [name: string, bytes: Buffer, message: RegExp][] = [
    ['empty', Buffer.alloc(0), /valid ZIP/],
    ['not a ZIP', Buffer.from('x'.repeat(100)), /valid ZIP/],
    ['cut off', simpleBundle().subarray(0, -10), /valid ZIP/],
    ['cut off at the start', simpleBundle().subarray(20), /valid ZIP/],
    ['no manifest', zipOf([{ name: 'a.js.map', content: testMap }]), /no `manifest.json`/],
    ['an entry outside the bundle', bundleOf(manifest, [{ name: '../../etc/x', content: 'x' }]), /valid ZIP/],
    ['an absolute entry', bundleOf(manifest, [{ name: '/etc/x', content: 'x' }]), /valid ZIP/],
    [
      'a huge manifest',
      zipOf([{ name: 'manifest.json', content: Buffer.alloc(9e6, ' ') }]),
      /`manifest.json` of the bundle is larger than 8 MB/,
    ],
    ['many values', zipOf([{ name: 'manifest.json', content: Buffer.alloc(1e6, '[') }]), /too many values/],
    ['broken JSON', zipOf([{ name: 'manifest.json', content: '{"files":' }]), /not valid JSON/],
    ['no files', zipOf([{ name: 'manifest.json', content: '{}' }]), /does not list/],
  ]
  for (const [name, bytes, message] of cases) {
    await t.rejects(readAll(writeBundle(t, bytes)), { name: 'BundleError', message }, name)
  }
})

t.test('does not decompress more than the maximum size of a map', async t => {
  const zeros = Buffer.alloc(65e6)
  const cases: [Partial<TestFile>, RegExp][] = [
    [{ content: zeros }, /larger than 64 MB/],
    [{ content: zeros, declaredBytes: 100 }, /valid ZIP/],
    [{ content: 'x', declaredBytes: 100 }, /valid ZIP/],
  ]
  for (const [file, message] of cases) {
    const path = writeBundle(t, bundleOf(manifest, [{ name: 'a.js.map', content: '', ...file }]))
    const [map] = await readAll(path)
    t.match(map?.content, message)
  }
})

t.test('limits the total size of the maps, also if entries share their content', async t => {
  const entry = { name: 'a.js.map', content: 'x', declaredBytes: 64e6 }
  const total = async (count: number) => {
    const path = writeBundle(t, bundleOf(manifest, Array<TestFile>(count).fill(entry)))
    let sizeBytes = 0
    for await (const map of bundledMaps(path)) sizeBytes += map.sizeBytes
    return sizeBytes
  }
  t.equal(await total(31), 31 * 64e6)
  await t.rejects(total(32), { name: 'BundleError', message: /larger than 2 GB/ })
})

t.test('limits the number of entries', async t => {
  const files = Array.from({ length: 4 }, (_, index) => ({ name: `${index}`, content: '' }))
  const path = writeBundle(t, zipOf(files))
  const list = async (max: number) => {
    let count = 0
    for await (const _ of zipEntries(path, max)) count += 1
    return count
  }
  t.equal(await list(4), 4)
  await t.rejects(list(3), { name: 'BundleError', message: /more than 3 files/ })
})

t.test('property: arbitrary bytes are either rejected or read as maps', async t => {
  const bundle = simpleBundle()
  const changed = fc
    .array(fc.tuple(fc.nat({ max: bundle.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 })
    .map(changes => {
      const copy = Buffer.from(bundle)
      for (const [at, byte] of changes) copy[at] = byte
      return copy
    })
  const any = fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes))
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, any), async bytes => {
      try {
        await readAll(writeBundle(t, bytes))
        return true
      } catch (error) {
        return error instanceof BundleError
      }
    }),
    { numRuns: 300 },
  )
})
