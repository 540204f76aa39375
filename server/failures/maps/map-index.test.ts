import fc from 'fast-check'
import t from 'tap'
import type { SourceMapHeader } from '../../store/source-maps.ts'
import { createMapIndex } from './map-index.ts'
import { originOf } from './origin.ts'

function header(release: string, path: string, debugId: string | null = null): SourceMapHeader {
  const id = `${release} ${path}${debugId === null ? '' : ` ${debugId}`}`
  return { id, release, path, debugId, uploadedMs: 0, sizeBytes: 1, isApplied: false }
}

const of = (release: string | null, debugIds: Record<string, string> = {}) =>
  originOf({ release, attributes: { debugIds } })

function found(headers: SourceMapHeader[], file: string, origin = of('1')) {
  const result = createMapIndex(headers).find(file, origin)
  return 'header' in result ? result.header.id : result.unmapped
}

t.test('finds the map of a file wherever it is served from or installed', async t => {
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

t.test('takes the path that has most of the end in common', async t => {
  const headers = ['a/index.js', 'b/index.js', 'c/b/index.js'].map(path => header('1', path))
  t.equal(found(headers, '/app/a/index.js'), '1 a/index.js')
  t.equal(found(headers, '/app/c/b/index.js'), '1 c/b/index.js')
  t.same(found(headers, '/app/b/index.js'), {
    reason: 'ambiguous',
    release: '1',
    candidates: ['b/index.js', 'c/b/index.js'],
  })
  t.same(found(headers, '/app/index.js'), {
    reason: 'ambiguous',
    release: '1',
    candidates: ['a/index.js', 'b/index.js', 'c/b/index.js'],
  })
})

t.test('takes the newest of one path', async t => {
  const [older, newer] = [header('1', 'a.js', 'old'), header('1', './a.js', 'new')]
  t.equal(found([older, newer], '/a.js'), newer.id)
})

t.test('a debug id counts more than release and path', async t => {
  const headers = [header('1', 'main.js', 'aa'), header('2', 'renamed.js', 'bb'), header('3', 'main.js')]
  const file = 'https://h/main.js'
  t.equal(found(headers, file, of('1', { [file]: 'BB' })), headers[1]?.id)
  t.equal(found(headers, file, of(null, { [file]: 'aa' })), headers[0]?.id)
  t.same(found(headers, file, of('1', { [file]: 'cc' })), {
    reason: 'other-build',
    release: '1',
    candidates: [],
  })
  t.equal(
    found(headers, file, of('3', { [file]: 'cc' })),
    headers[2]?.id,
    'a map without an id may be of any build',
  )
  t.equal(found(headers, file, of('1', { 'https://h/other.js': 'cc' })), headers[0]?.id)
})

t.test('says why no map fits', async t => {
  const headers = ['1', '2', '3'].map(release => header(release, 'static/main.js'))
  t.same(found(headers, 'https://h/static/other.js', of('1')), {
    reason: 'missing',
    release: '1',
    candidates: [],
  })
  t.same(found([], 'https://h/static/main.js', of('1')), { reason: 'missing', release: '1', candidates: [] })
  t.same(found(headers, 'https://h/static/main.js', of('4')), {
    reason: 'wrong-release',
    release: '4',
    candidates: ['3', '2', '1'],
  })
  t.same(found(headers, 'https://h/static/main.js', of(null)), {
    reason: 'no-release',
    release: null,
    candidates: ['3', '2', '1'],
  })
})

t.test('knows at once of a release without maps', async t => {
  const { covers } = createMapIndex([header('1', 'a.js', 'aa')])
  t.equal(covers(of('1')), true)
  t.equal(covers(of('2')), false)
  t.equal(covers(of(null)), false)
  t.equal(covers(of(null, { x: 'aa' })), true)
})

t.test('takes any text for a release, a path, a file, and any debug ids', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('__proto__', '%', '%E0', '/', 'a/../b', '../..'),
  )
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, text)),
      text,
      text,
      fc.jsonValue(),
      (maps, file, release, debugIds) => {
        const index = createMapIndex(maps.map(([release, path]) => header(release, path)))
        const result = index.find(
          file,
          originOf({ release, attributes: JSON.parse(JSON.stringify({ debugIds })) }),
        )
        return 'header' in result || result.unmapped.reason !== undefined
      },
    ),
  )
})
