import t from 'tap'
import { rowsOf } from './rows.ts'
import { markdownTable } from './table.ts'

t.test('a value goal does not depend on the references', async t => {
  const [row] = rowsOf([{ id: 'home', value: 30, references: [{ name: 'other', value: 10 }] }])
  t.match(row, { value: 30, references: [{ name: 'other', ratio: 3 }], goal: '≤ 30 ms', isMet: true })
})

t.test('a ratio goal refers to the first reference', async t => {
  const references = [
    { name: 'first', value: 10 },
    { name: 'second', value: 1 },
  ]
  const [row] = rowsOf([{ id: 'readyToNextServer', value: 59, references }])
  t.match(row, { goal: '≥ 6×', isMet: false })
})

t.test('without a reference, a ratio goal is neither met nor missed', async t => {
  t.match(rowsOf([{ id: 'unchanged', value: 100 }]), [{ isMet: null }])
})

t.test('rows are in the order of the metrics', async t => {
  const rows = rowsOf([
    { id: 'ready', value: 1 },
    { id: 'home', value: 1 },
  ])
  t.match(rows, [{ metric: '`/`' }, { metric: 'start to `/readyz`' }])
})

t.test('the table contains values, references, ratios and goals', async t => {
  const references = [
    { name: 'DuckDB', value: 200_000 },
    { name: 'JSON', value: 50_000 },
  ]
  const table = markdownTable(rowsOf([{ id: 'ingest', value: 35_512, references }]))
  t.same(
    table
      .split('\n')
      .at(-1)
      ?.split(/ *\| */)
      .slice(1, -1),
    [
      'NDJSON acknowledged on disk',
      '35,512 lines/s',
      '200,000 lines/s (DuckDB); 50,000 lines/s (JSON)',
      '0.18×; 0.71×',
      '≥ 100,000 lines/s',
      'not met',
    ],
  )
})
