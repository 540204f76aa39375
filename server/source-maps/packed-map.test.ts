import { inflateSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { openPackedMap, packMap } from './packed-map.ts'
import { originalPosition, readSourceMap } from './source-map.ts'

const map = {
  version: 3,
  sources: ['a.ts', 'b.ts', 'c.ts'],
  sourcesContent: ['const a = "ä😀"', null, ''],
  names: [],
  mappings: 'AAAA,EACE;ACAA',
}

async function pack(value: object): Promise<Buffer> {
  return packMap(await readSourceMap(Buffer.from(JSON.stringify(value))))
}
const readFrom = (packed: Uint8Array) => async (start: number, length: number) =>
  packed.subarray(start, start + length)

t.test('packed maps round-trip, and sources are read one at a time', async t => {
  const packed = await pack(map)
  const read: number[] = []
  const opened = await openPackedMap(async (start, length) => {
    read.push(length)
    return packed.subarray(start, start + length)
  })
  t.same(opened?.map.sources, map.sources)
  t.same(opened && originalPosition(opened.map, 0, 3), { source: 0, line: 1, column: 2 })
  t.same(await Promise.all([0, 1, 2, 3].map(source => opened?.text(source))), [
    'const a = "ä😀"',
    null,
    '',
    null,
  ])
  t.ok(read.reduce((sum, length) => sum + length) <= packed.length, 'no bytes are read twice')
})

t.test('the stored format has the keys that existing stores contain', async t => {
  const packed = await pack(map)
  const directory = JSON.parse(inflateSync(packed.subarray(4, 4 + packed.readUInt32LE())).toString())
  t.same(Object.keys(directory), ['sources', 'sections', 'texts'])
  t.same(Object.keys(directory.sections[0]), ['line', 'column', 'firstSource', 'mappings'])
  t.same(Object.keys(directory.sections[0].mappings), ['text', 'stops', 'isSorted'])
})

t.test('property: a truncated map lacks text, and reading a damaged map never throws', async t => {
  const packed = await pack(map)
  t.equal(await openPackedMap(async () => null), null)
  for (let length = 0; length < packed.length; length += 1) {
    const opened = await openPackedMap(readFrom(packed.subarray(0, length)))
    const texts = await Promise.all([0, 2].map(source => opened?.text(source)))
    t.ok(texts.some(text => typeof text !== 'string'))
  }
  await fc.assert(
    fc.asyncProperty(fc.nat(packed.length - 1), fc.nat(255), async (at, byte) => {
      const damaged = Buffer.from(packed)
      damaged[at] = byte
      const opened = await openPackedMap(readFrom(damaged))
      const text = await opened?.text(0)
      return text === undefined || text === null || typeof text === 'string'
    }),
    { numRuns: 150 },
  )
})
