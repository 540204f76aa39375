import fc from 'fast-check'
import t from 'tap'
import { attributesOf, columnNames, defaultColumns, parseColumns, writeColumns } from './columns.ts'
import { anyCharacter } from './testing/any-character.ts'

t.test('parses fields and attributes, with their widths', async t => {
  const columns = parseColumns(' service:160, message ,@user.plan:80,@http.status:200,nonsense,message')
  t.same(columns, [
    { field: 'service', widthPx: 160 },
    { field: 'message', widthPx: null },
    { attribute: 'user.plan', widthPx: 80 },
    { attribute: 'http.status', widthPx: 200 },
  ])
  t.same(attributesOf(columns), ['user.plan', 'http.status'])
  t.equal(writeColumns(columns), 'service:160,message,@user.plan:80,@http.status:200')
})

t.test('falls back to the default columns, and limits the widths and the number of columns', async t => {
  for (const text of ['', ',,', 'nonsense', '@', '<script>']) {
    t.equal(writeColumns(parseColumns(text)), defaultColumns, text)
  }
  t.match(parseColumns('message:1,service:9999'), [{ widthPx: 40 }, { widthPx: 1000 }])
  t.equal(parseColumns(Array.from({ length: 50 }, (_, index) => `@a${index}`).join(',')).length, 12)
})

t.test('serialised columns parse to the same columns, up to the limit', async () => {
  const column = fc.record({
    name: fc.oneof(
      fc.constantFrom(...columnNames),
      fc.stringMatching(/^[a-zA-Z_][\w.-]{0,30}$/).map(path => `@${path}`),
    ),
    width: fc.option(fc.integer({ min: 40, max: 1000 })),
  })
  fc.assert(
    fc.property(
      fc.uniqueArray(column, { selector: ({ name }) => name, minLength: 1, maxLength: 12 }),
      columns => {
        const text = columns.map(({ name, width }) => (width === null ? name : `${name}:${width}`)).join(',')
        return writeColumns(parseColumns(text)) === text
      },
    ),
  )
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter }),
      text =>
        writeColumns(parseColumns(writeColumns(parseColumns(text)))) === writeColumns(parseColumns(text)),
    ),
  )
})
