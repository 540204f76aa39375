import fc from 'fast-check'
import t from 'tap'
import { BundleError } from './bundle-error.ts'
import { readManifest } from './bundle-manifest.ts'

const debugId = '6f80212a-b3a5-59b6-ba13-06bdfd7a1ce4'

function mapsOf(files: Record<string, unknown>) {
  return Object.fromEntries(readManifest(Buffer.from(JSON.stringify({ files }))).maps)
}

t.test("finds a map's generated file by the `sourcemap` header of that file", t => {
  const cases: [url: string, reference: string, mapUrl: string, path: string][] = [
    ['~/main.js', 'main.js.map', '~/main.js.map', 'main.js'],
    ['~/static/js/a.js', 'a.js.map', '~/static/js/a.js.map', 'static/js/a.js'],
    ['~/static/js/a.js', '../maps/b.map', '~/static/maps/b.map', 'static/js/a.js'],
    ['~/static/js/a.js', '/maps/b.map?x=1', '~/maps/b.map', 'static/js/a.js'],
    ['~/app/[id]/page.js', '%5Bid%5D.js.map', '~/app/[id]/[id].js.map', 'app/[id]/page.js'],
    ['https://shop.example/a.js?v=1', 'a.js.map', 'https://shop.example/a.js.map', 'a.js'],
    ['app:///server/a.js', 'a.js.map', 'app:///server/a.js.map', 'server/a.js'],
    ['~/a.js', 'https://cdn.example/maps/x.js.map', 'https://cdn.example/maps/x.js.map', 'a.js'],
  ]
  for (const [url, sourcemap, mapUrl, path] of cases) {
    const maps = mapsOf({
      'files/1': { type: 'minified_source', url, headers: { Sourcemap: sourcemap } },
      'files/2': { type: 'source_map', url: mapUrl, headers: { 'debug-id': debugId.toUpperCase() } },
    })
    t.same(maps, { 'files/2': { path, debugId } }, url)
  }
  t.end()
})

t.test('without a generated file, the path is the URL of the map without `.map`', t => {
  const maps = mapsOf({
    1: { type: 'source_map', url: '~/a/b.js.map' },
    2: { type: 'minified_source', url: '~/c.js', headers: { sourcemap: 'http://[' } },
    3: { type: 'source' },
    4: { type: 'source_map' },
    5: { type: 'source_map', url: '~/d.js.map', headers: { 'debug-id': 'not valid' } },
  })
  t.same(maps, { 1: { path: 'a/b.js', debugId: null }, 5: { path: 'd.js', debugId: null } })
  t.end()
})

t.test('a file that was renamed to its debug id gets its original name', t => {
  const headers = { 'debug-id': debugId }
  const maps = mapsOf({
    1: {
      type: 'minified_source',
      url: `~/${debugId}-0.js`,
      headers: { ...headers, sourcemap: 'main.js.map' },
    },
    2: { type: 'source_map', url: `~/${debugId}-0.js.map`, headers },
  })
  t.same(maps, { 2: { path: 'main.js', debugId } })
  t.end()
})

t.test('a map without a debug id gets the debug id of its generated file', t => {
  const maps = mapsOf({
    1: { type: 'minified_source', url: '~/a.js', headers: { sourcemap: 'a.js.map', 'debug-id': debugId } },
    2: { type: 'source_map', url: '~/a.js.map' },
  })
  t.same(maps, { 2: { path: 'a.js', debugId } })
  t.end()
})

t.test('reads the release', t => {
  const releaseOf = (release: unknown) =>
    readManifest(Buffer.from(JSON.stringify({ files: {}, release }))).release
  t.equal(releaseOf('shop@1.2.3'), 'shop@1.2.3')
  t.equal(releaseOf(undefined), null)
  t.equal(releaseOf(7), null)
  t.end()
})

t.test('property: any JSON is either read as a manifest or rejected', t => {
  const files = fc.dictionary(
    fc.string(),
    fc.record({
      type: fc.constantFrom('source_map', 'minified_source', 'x', null),
      url: fc.oneof(fc.webUrl(), fc.string(), fc.constant(null)),
      headers: fc.dictionary(
        fc.constantFrom('sourcemap', 'debug-id', '__proto__'),
        fc.oneof(fc.string(), fc.jsonValue()),
      ),
    }),
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.record({ files }).map(value => JSON.stringify(value)),
        fc.string(),
      ),
      json => {
        try {
          return [...readManifest(Buffer.from(json)).maps.values()].every(
            ({ path }) => typeof path === 'string',
          )
        } catch (error) {
          return error instanceof BundleError
        }
      },
    ),
  )
  t.pass()
  t.end()
})
