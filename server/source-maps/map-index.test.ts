import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import type { SourceMapHeader } from '../store/source-map-store.ts'
import { buildInfoOf } from './build-info.ts'
import { createMapIndex } from './map-index.ts'

function header(
  release: string,
  path: string,
  debugId: string | null = null,
  service: string | null = null,
): SourceMapHeader {
  const id = [release, path, debugId, service].filter(part => part !== null).join(' ')
  return { id, release, path, debugId, service, uploadedMs: 0, sizeBytes: 1, isApplied: false }
}

const of = (release: string | null, debugIds: Record<string, string> = {}, service = 'shop') =>
  buildInfoOf({ service, release, attributes: { debugIds } })

function found(headers: SourceMapHeader[], file: string, origin = of('1')) {
  const result = createMapIndex(headers).find(file, origin)
  if ('unmapped' in result) return result.unmapped
  const ids = result.headers.map(({ id }) => id)
  return ids.length === 1 ? ids[0] : ids
}

const because = (reason: string, release: string | null, candidates: string[] = []) => ({
  reason,
  service: 'shop',
  release,
  candidates,
  positions: [],
})

t.test('finds the map of a file regardless of host and folder', async t => {
  const cases: [path: string, file: string][] = [
    ['static/js/main.4f3a2b1c.js', 'https://cdn.example/static/js/main.4f3a2b1c.js?v=1#x'],
    ['assets/index-Dk2f9s.js', 'https://shop.example/app/assets/index-Dk2f9s.js'],
    ['dist/server.js', 'file:///srv/shop/dist/server.js'],
    ['dist/server.js', '/app/dist/server.js'],
    ['server.js', 'C:\\shop\\dist\\server.js'],
    ['./server/app.js.map', '/srv/server/app.js'],
    ['~/static/a.js', 'https://shop.example/static/a.js'],
    ['https://shop.example/static/a.js', 'https://cdn.example/static/a.js'],
    [
      '.next/static/chunks/app/orders/[id]/page-1a2b3c4d.js',
      'https://h/_next/static/chunks/app/orders/%5Bid%5D/page-1a2b3c4d.js',
    ],
    ['static/chunks/22.js', 'webpack-internal:///_next/static/chunks/22.js'],
    ['main.jsbundle', 'file:///var/containers/Bundle/main.jsbundle'],
  ]
  for (const [path, file] of cases) t.equal(found([header('1', path)], file), `1 ${path}`, file)
})

t.test('prefers the path with the longest common suffix', async t => {
  const headers = ['a/index.js', 'b/index.js', 'c/b/index.js'].map(path => header('1', path))
  t.equal(found(headers, '/app/a/index.js'), '1 a/index.js')
  t.equal(found(headers, '/app/c/b/index.js'), '1 c/b/index.js')
  t.same(found(headers, '/app/b/index.js'), ['1 c/b/index.js', '1 b/index.js'])
  t.same(found(headers, '/app/index.js'), ['1 c/b/index.js', '1 b/index.js', '1 a/index.js'])
})

t.test('the eight newest maps of a path are candidates, newest first', async t => {
  const [older, newer] = [header('1', 'a.js', 'old'), header('1', './a.js', 'new')]
  t.same(found([older, newer], '/a.js'), [newer.id, older.id])
  const index = (count: number) =>
    createMapIndex(Array.from({ length: count }, (_, at) => header('1', 'a.js', `${at}`)))
  t.match(index(8).find('/a.js', of('1')), { headers: { length: 8 }, isComplete: true })
  t.match(index(9).find('/a.js', of('1')), {
    headers: [{ debugId: '8' }, {}, {}, {}, {}, {}, {}, { debugId: '1' }],
    isComplete: false,
  })
})

t.test('prefers maps of the service to maps without one, and ignores maps of other services', async t => {
  const [shop, stock, any] = ['shop', 'stock', null].map(service => header('1', 'a.js', null, service))
  if (shop === undefined || stock === undefined || any === undefined) throw new Error('No headers')
  for (const headers of [
    [shop, stock, any],
    [any, stock, shop],
  ]) {
    t.equal(found(headers, '/a.js', of('1', {}, 'shop')), shop.id)
    t.equal(found(headers, '/a.js', of('1', {}, 'stock')), stock.id)
    t.equal(found(headers, '/a.js', of('1', {}, 'other')), any.id)
  }
  const longer = header('1', 'app/dist/a.js', null, 'stock')
  t.equal(found([shop, longer], '/app/dist/a.js'), shop.id, 'even if another path shares a longer suffix')
  t.same(found([stock, longer], '/a.js'), because('wrong-service', '1', ['stock']))
  t.same(found([], '/a.js', of('1')), because('missing', '1'))
})

t.test('a debug id takes precedence over the service', async t => {
  const file = 'https://h/main.js'
  const [stock, shop] = [header('1', 'a.js', 'aa', 'stock'), header('2', 'b.js', 'aa', 'shop')]
  t.equal(found([stock], file, of('1', { [file]: 'aa' })), stock.id)
  t.equal(found([shop, stock], file, of('1', { [file]: 'aa' })), shop.id)
})

t.test('a debug id takes precedence over release and path', async t => {
  const headers = [header('1', 'main.js', 'aa'), header('2', 'renamed.js', 'bb'), header('3', 'main.js')]
  const file = 'https://h/main.js'
  t.equal(found(headers, file, of('1', { [file]: 'BB' })), headers[1]?.id)
  t.equal(found(headers, file, of(null, { [file]: 'aa' })), headers[0]?.id)
  t.same(found(headers, file, of('1', { [file]: 'cc' })), because('other-build', '1', []))
  t.equal(
    found(headers, file, of('3', { [file]: 'cc' })),
    headers[2]?.id,
    'a map without a debug id may be from any build',
  )
  t.equal(found(headers, file, of('1', { 'https://h/other.js': 'cc' })), headers[0]?.id)
})

t.test('returns the reason if no map matches', async t => {
  const headers = ['1', '2', '3'].map(release => header(release, 'static/main.js'))
  t.same(found(headers, 'https://h/static/other.js', of('1')), because('not-built', '1', []))
  const ofStock = header('1', 'static/main.js', null, 'stock')
  t.same(
    found([ofStock], 'https://h/static/other.js', of('1', {}, 'shop')),
    because('missing', '1', []),
    'maps of another service are ignored',
  )
  t.same(found([], 'https://h/static/main.js', of('1')), because('missing', '1', []))
  t.same(found(headers, 'https://h/static/main.js', of('4')), because('wrong-release', '4', ['3', '2', '1']))
  t.same(found(headers, 'https://h/static/main.js', of(null)), because('no-release', null, ['3', '2', '1']))
})

t.test('covers only releases and services that have maps', async t => {
  const { covers } = createMapIndex([header('1', 'a.js', 'aa'), header('3', 'a.js', null, 'shop')])
  t.equal(covers(of('3')), true)
  t.equal(covers(of('3', {}, 'stock')), false)
  t.equal(covers(of('1', {}, 'stock')), true)
  t.equal(covers(of('1')), true)
  t.equal(covers(of('2')), false)
  t.equal(covers(of(null)), false)
  t.equal(covers(of(null, { x: 'aa' })), true)
})

t.test('property: accepts any release, path, file and debug ids', async () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('__proto__', '%', '%E0', '/', 'a/../b', '../..'),
  )
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, text, text)),
      text,
      text,
      text,
      fc.jsonValue(),
      (maps, file, service, release, debugIds) => {
        const index = createMapIndex(
          maps.map(([release, path, service]) => header(release, path, null, service)),
        )
        const result = index.find(
          file,
          buildInfoOf({ service, release, attributes: JSON.parse(JSON.stringify({ debugIds })) }),
        )
        return 'unmapped' in result || result.headers.length > 0
      },
    ),
  )
})
