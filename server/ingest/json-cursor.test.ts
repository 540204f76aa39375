import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { runToEnd, withoutPauses } from '../testing/pauses.ts'
import { JsonCursor, JsonSyntaxError, sliceBytes } from './json-cursor.ts'

/** Parses text with the cursor. Throws if `JSON.parse` rejects a part or the cursor rejects the text. */
function parseInParts(json: string | Buffer): unknown {
  const cursor = new JsonCursor(Buffer.from(json))
  const { result } = runToEnd(readDeep(cursor))
  if (runToEnd(cursor.peek()).result !== -1) throw new SyntaxError('more text follows')
  return result
}

function* readDeep(cursor: JsonCursor): Generator<null, unknown> {
  const first = yield* cursor.peek()
  if (first === '['.charCodeAt(0)) {
    const list: unknown[] = []
    for (const element of cursor.elements()) {
      if (element === null) yield null
      else list.push(yield* readDeep(cursor))
    }
    return list
  }
  if (first === '{'.charCodeAt(0)) {
    const fields: [string, unknown][] = []
    for (const field of cursor.fields()) {
      if (field === null) yield null
      else fields.push([field.name, yield* readDeep(cursor)])
    }
    return Object.fromEntries(fields)
  }
  const { start, end } = yield* cursor.value()
  return JSON.parse(cursor.bytes.toString('utf8', start, end))
}

/** Returns the result as text, or `null` if the text is rejected. */
function outcome(parse: () => unknown): string | null {
  try {
    return JSON.stringify(parse())
  } catch {
    return null
  }
}

const value = fc.jsonValue({ maxDepth: 4, stringUnit: anyCharacter })
const json = fc
  .tuple(value, fc.constantFrom('', ' ', '\t', '\n'))
  .map(([value, space]) => JSON.stringify(value, null, space))

t.test('rejects text outside the quotes of a long name', async t => {
  t.throws(() => parseInParts(`{""${'x'.repeat(500)}: 1}`), JsonSyntaxError)
  t.same(parseInParts(`{"${'x'.repeat(500)}": 1}`), { ['x'.repeat(500)]: 1 })
})

t.test('property: parsing in parts returns the result of JSON.parse, or both reject the text', async () => {
  const edit = fc.record({
    at: fc.nat(),
    text: fc.constantFrom('', ' ', ',', ':', '"', '\\', '[', ']', '{', '}', '1', '\u00e9'),
    drop: fc.nat({ max: 2 }),
  })
  const edited = fc.tuple(json, fc.array(edit, { maxLength: 3 })).map(([text, edits]) =>
    edits.reduce((left, { at, text, drop }) => {
      const place = at % (left.length + 1)
      return left.slice(0, place) + text + left.slice(place + drop)
    }, text),
  )
  fc.assert(
    fc.property(edited, text => {
      // The cursor reads UTF-8, which cannot represent lone surrogates.
      const utf8 = Buffer.from(text).toString()
      return outcome(() => parseInParts(text)) === outcome(() => JSON.parse(utf8))
    }),
    { numRuns: 3000 },
  )
})

t.test('property: finds the same array elements as JSON.parse', async () => {
  fc.assert(
    fc.property(fc.array(value), fc.constantFrom('', ' ', '\n'), (values, space) => {
      const cursor = new JsonCursor(Buffer.from(JSON.stringify(values, null, space)))
      const found: unknown[] = []
      for (const element of cursor.elements()) {
        if (element === null) continue
        const { start, end } = runToEnd(cursor.value()).result
        found.push(JSON.parse(cursor.bytes.toString('utf8', start, end)))
      }
      return JSON.stringify(found) === JSON.stringify(values)
    }),
  )
})

t.test('property: any bytes are read or rejected, and invalid UTF-8 does not change the result', async () => {
  const isReadOrRejected = (bytes: Buffer) => {
    for (const parts of ['elements', 'fields'] as const) {
      try {
        withoutPauses<unknown>(new JsonCursor(bytes)[parts]())
      } catch (error) {
        if (!(error instanceof JsonSyntaxError)) return false
      }
    }
    return true
  }
  const structural = fc.constantFrom(...Buffer.from('[]{},:"\\ 1'), 0xff, 0xe2)
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => isReadOrRejected(Buffer.from(bytes))))
  fc.assert(
    fc.property(fc.array(structural, { maxLength: 40 }), bytes => {
      const text = Buffer.from(bytes).toString()
      return (
        isReadOrRejected(Buffer.from(bytes)) &&
        outcome(() => parseInParts(Buffer.from(bytes))) === outcome(() => JSON.parse(text))
      )
    }),
    { numRuns: 3000 },
  )
})

t.test('a piece may end anywhere in a value', async t => {
  for (const text of ['"\\\\\\""', '[1,{"a":"]"}]', '  7  ']) {
    for (let offset = -text.length; offset <= 2; offset += 1) {
      const padding = ' '.repeat(sliceBytes + offset)
      t.same(parseInParts(`[${padding}${text}]`), [JSON.parse(text)])
    }
  }
})

t.test('pauses after every piece', async t => {
  const sizeBytes = 4 * sliceBytes
  for (const text of ['x', '\\"', '[],', ' ']) {
    const body = text.repeat(sizeBytes / text.length)
    const json = text.length === 2 || text === 'x' ? `"${body}"` : `[${body}1]`
    const { pauses } = runToEnd(new JsonCursor(Buffer.from(json)).value())
    t.ok(pauses >= 4, `${text}: ${pauses}`)
  }
})
