import { encodedMappings, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'
import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { findOriginal, hasOriginal, readMappings } from './mappings.ts'
import { SourceMapError } from './source-map-error.ts'

type Segment = [number] | [number, number, number, number] | [number, number, number, number, number]

const sources = ['a.ts', 'b.ts', 'c.ts']
const number = (max: number) => fc.integer({ min: 0, max })
const original = [number(2), number(5000), number(500)] as const
const column = number(3000)
const segment: fc.Arbitrary<Segment> = fc.oneof(
  { weight: 1, arbitrary: fc.tuple(column) },
  { weight: 5, arbitrary: fc.tuple(column, ...original) },
  { weight: 3, arbitrary: fc.tuple(column, ...original, number(1)) },
)
const inOrder = (line: Segment[]) => line.toSorted((a, b) => a[0] - b[0])
// Unique columns, because trace-mapping returns the first of several segments at a position, not the last.
const uniqueByColumn = { maxLength: 12, selector: ([column]: Segment) => column }
const lines = fc.array(fc.uniqueArray(segment, uniqueByColumn).map(inOrder), { maxLength: 8 })

function encode(mappings: Segment[][]): string {
  return encodedMappings(new TraceMap({ version: 3, sources, names: ['x', 'y'], mappings }))
}

/** Returns the position according to @jridgewell/trace-mapping. */
function expected(mappings: string, line: number, column: number) {
  const map = new TraceMap({ version: 3, sources, names: ['x', 'y'], mappings })
  const found = originalPositionFor(map, { line: line + 1, column })
  return found.source === null
    ? null
    : { source: sources.indexOf(found.source), line: found.line - 1, column: found.column }
}

t.test('finds the same positions as trace-mapping', async t => {
  await fc.assert(
    fc.asyncProperty(lines, number(9), number(3100), async (mappings, line, column) => {
      const text = encode(mappings)
      t.same(findOriginal(await readMappings(text, 3), line, column), expected(text, line, column))
    }),
    { numRuns: 150 },
  )
})

t.test('finds positions after checkpoints in one long line and in many lines', async t => {
  const of = (lines: number, segments: number) =>
    encode(
      Array.from({ length: lines }, (_, line) =>
        Array.from({ length: segments }, (_, index): Segment => [index * 3, index % 3, line, index]),
      ),
    )
  for (const text of [of(1, 20_000), of(4000, 5), of(20, 1000)]) {
    const mappings = await readMappings(text, 3)
    t.ok(mappings.checkpoints.length > 7)
    for (let at = 0; at < 200; at += 1) {
      const [line, column] = [(at * 37) % 4001, (at * 7919) % 60_001]
      t.same(findOriginal(mappings, line % 21, column), expected(text, line % 21, column))
      t.same(findOriginal(mappings, line, at % 17), expected(text, line, at % 17))
    }
  }
})

t.test(
  'determines whether any segment has a given original position, even one far from the start',
  async t => {
    const text = encode([
      ...Array.from({ length: 30_000 }, (_, line): Segment[] => [[4, 1, line, 2]]),
      [[0, 2, 5, 6], [8]],
    ])
    const mappings = await readMappings(text, 3)
    t.ok(text.length > 131_072, 'yields at least once')
    t.ok(await hasOriginal(mappings, { source: 1, line: 0, column: 2 }))
    t.ok(await hasOriginal(mappings, { source: 2, line: 5, column: 6 }))
    t.notOk(await hasOriginal(mappings, { source: 1, line: 5, column: 6 }))
    t.notOk(
      await hasOriginal(mappings, { source: 1, line: 0, column: 4 }),
      'a position in the generated file',
    )
  },
)

t.test('reads lines with unsorted segments', async t => {
  // Columns 9, 3 and 6 of the file map to lines 0, 1 and 2 of the source.
  const mappings = await readMappings('SAAA,NACA,GACA', 1)
  t.equal(mappings.isSorted, false)
  t.same(
    [2, 3, 5, 6, 9].map(column => findOriginal(mappings, 0, column)?.line ?? null),
    [null, 1, 1, 2, 0],
  )
})

t.test('returns the last of several segments at one position', async t => {
  // Column 25 of the file has three segments: one without a source, one for line 0 of the source and one for line 1.
  const mappings = await readMappings('yB,AAAA,AACA', 1)
  t.equal(findOriginal(mappings, 0, 25)?.line, 1)
  t.equal(findOriginal(mappings, 0, 30)?.line, 1)
})

t.test('rejects invalid mappings', async t => {
  for (const text of ['!', 'A*', 'AAAAAA', 'g', 'gggggggggA', 'é', 'AA', 'AAA', 'DAAA', 'AADA'])
    await t.rejects(readMappings(text, 1), SourceMapError, text)
  await t.rejects(readMappings('AAAA', 0), SourceMapError)
})

t.test('property: reads or rejects any text', async () => {
  const texts = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc
      .array(fc.constantFrom('A', 'C', 'D', 'g', '/', ',', ';', 'AAAA', 'IAAI'), { maxLength: 60 })
      .map(all => all.join('')),
  )
  await fc.assert(
    fc.asyncProperty(texts, number(5), number(50), async (text, line, column) => {
      try {
        const found = findOriginal(await readMappings(text, 2), line, column)
        return found === null || (found.source < 2 && found.line >= 0 && found.column >= 0)
      } catch (error) {
        return error instanceof SourceMapError
      }
    }),
    { numRuns: 400 },
  )
})

t.test('mappings with a million lines or segments have few checkpoints', async t => {
  for (const text of [';'.repeat(2e6), ','.repeat(2e6), 'A,'.repeat(1e6)]) {
    const { checkpoints } = await readMappings(text, 1)
    t.ok(checkpoints.length < 10_000)
  }
  t.equal(findOriginal(await readMappings(`${';'.repeat(2e6)}AAAA`, 1), 2e6, 0)?.line, 0)
})
