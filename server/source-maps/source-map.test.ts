import { FlattenMap, originalPositionFor } from '@jridgewell/trace-mapping'
import fc from 'fast-check'
import t from 'tap'
import { isOriginal, originalPosition, readDebugId, readSourceMap } from './source-map.ts'
import { SourceMapError } from './source-map-error.ts'

const plain = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' }
const read = (value: unknown) => readSourceMap(Buffer.from(JSON.stringify(value)))

t.test('reads sources with their root and contents', async t => {
  const { map, contents, debugId } = await read({
    ...plain,
    sources: ['a.ts', null, '/b.ts', 'webpack://shop/./c.ts'],
    sourceRoot: 'src',
    sourcesContent: ['const a = 1', null, 7],
    debug_id: '0B6A6D3F47B54D17A9F64ED2D2C8D5C4',
  })
  t.same(map.sources, ['src/a.ts', null, '/b.ts', 'webpack://shop/./c.ts'])
  t.same(contents, ['const a = 1', null, null, null])
  t.equal(debugId, '0b6a6d3f-47b5-4d17-a9f6-4ed2d2c8d5c4')
  const rooted = async (sourceRoot: string, ...sources: string[]) =>
    (await read({ ...plain, sourceRoot, sources })).map.sources
  t.same(await rooted('/srv/app/', '../../src/a.ts', './b.ts'), ['/src/a.ts', '/srv/app/b.ts'])
  t.same(await rooted('src/lib', '../a.ts', '../../../b.ts'), ['src/a.ts', '../b.ts'])
  t.same(await rooted('https://h/x', '../../../a.ts', 'b/./c.ts'), ['https://h/a.ts', 'https://h/x/b/c.ts'])
  t.same(await rooted('C:\\src\\', '..\\lib\\a.ts'), ['C:/lib/a.ts'])
  const guarded = Buffer.from(`)]}'\n${JSON.stringify(plain)}`)
  t.same((await readSourceMap(guarded)).map.sources, ['a.ts'])
})

t.test('finds the same positions in an index map as trace-mapping', async t => {
  const section = (line: number, column: number, source: string) => ({
    offset: { line, column },
    map: { version: 3 as const, sources: [source], names: [], mappings: 'AAAA,EACE;AAEA' },
  })
  const index = {
    version: 3 as const,
    sections: [section(0, 4, 'a'), section(1, 10, 'b'), section(7, 0, 'c')],
  }
  const { map } = await read(index)
  const reference = new FlattenMap(index)
  for (let line = 0; line < 10; line += 1) {
    for (let column = 0; column < 16; column += 1) {
      const found = originalPosition(map, line, column)
      const {
        source,
        line: inLine,
        column: inColumn,
      } = originalPositionFor(reference, { line: line + 1, column })
      t.same(
        found && [map.sources[found.source], found.line + 1, found.column],
        source === null ? null : [source, inLine, inColumn],
        `${line}:${column}`,
      )
      if (found !== null) t.ok(await isOriginal(map, found), `${line}:${column} is an original position`)
    }
  }
  t.notOk(await isOriginal(map, { source: 1, line: 0, column: 1 }))
  t.notOk(await isOriginal(map, { source: 3, line: 0, column: 0 }), 'a source that the map does not list')
})

t.test('rejects invalid maps and reports the reason', async t => {
  const wrong: [unknown, RegExp][] = [
    [null, /not a JSON object/],
    [[], /not a JSON object/],
    [{}, /`version` is not 3/],
    [{ ...plain, version: '3' }, /`version` is not 3/],
    [{ ...plain, mappings: [[]] }, /`mappings` are not a string/],
    [{ ...plain, sources: 'a.ts' }, /`sources` are not a list/],
    [{ ...plain, mappings: 'AECA' }, /refer to a source that it does not list/],
    [{ version: 3, sections: {} }, /`sections`/],
    [{ version: 3, sections: [{ offset: { line: -1, column: 0 }, map: plain }] }, /no valid line and column/],
    [
      { version: 3, sections: [{ offset: { line: 0, column: 0 }, url: 'x.map' }] },
      /`map` of one of its sections/,
    ],
    [
      { version: 3, sections: [{ offset: { line: 0, column: 0 }, map: { version: 3, sections: [] } }] },
      /contains sections/,
    ],
    [
      {
        version: 3,
        sections: [2, 1].map(line => ({ offset: { line, column: 0 }, map: plain })),
      },
      /not sorted by offset/,
    ],
    [{ ...plain, names: Array.from({ length: 2_000_001 }, () => 1) }, /too many JSON values/],
  ]
  for (const [value, message] of wrong) await t.rejects(read(value), { name: 'SourceMapError', message })
  for (const text of ['', '{', 'AAAA', `)]}'`, '{"version":3,"sources":["a"],"mappings":"AA'])
    await t.rejects(
      readSourceMap(Buffer.from(text)),
      { name: 'SourceMapError', message: /not valid JSON/ },
      text,
    )
})

t.test(
  'property: reads any bytes or JSON, even deeply nested, or rejects them with a SourceMapError',
  async t => {
    const any = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map(bytes => Buffer.from(bytes)),
      fc.json().map(text => Buffer.from(text)),
      fc
        .record(
          {
            version: fc.constantFrom(3, 2),
            sources: fc.jsonValue(),
            mappings: fc.oneof(fc.constant('AAAA'), fc.jsonValue()),
            sections: fc.jsonValue(),
            sourcesContent: fc.jsonValue(),
            debugId: fc.jsonValue(),
          },
          { requiredKeys: [] },
        )
        .map(value => Buffer.from(JSON.stringify(value))),
    )
    const isReadOrRejected = (json: Buffer) =>
      readSourceMap(json).then(
        () => true,
        error => error instanceof SourceMapError,
      )
    await fc.assert(fc.asyncProperty(any, isReadOrRejected), { numRuns: 400 })
    for (const deep of [
      '['.repeat(1e5),
      '{"sections":['.repeat(5e4),
      `${'['.repeat(1e5)}${']'.repeat(1e5)}`,
    ]) {
      t.ok(await isReadOrRejected(Buffer.from(deep)))
    }
    for (const heavy of [
      '[{}'.concat(',{}'.repeat(5e6), ']'),
      `["${'\\"'.repeat(2e6)}"]`,
      '"\\'.repeat(2e6),
    ]) {
      t.ok(await isReadOrRejected(Buffer.from(heavy)))
    }
  },
)

t.test('normalises debug ids', async t => {
  const id = '0b6a6d3f-47b5-4d17-a9f6-4ed2d2c8d5c4'
  for (const form of [id, id.toUpperCase(), id.replaceAll('-', '')]) t.equal(readDebugId(form), id)
  t.equal(readDebugId('Build-7'), 'build-7')
  for (const other of ['', 'a b', 'ä', 'x'.repeat(101), 7, null, undefined]) t.equal(readDebugId(other), null)
})
