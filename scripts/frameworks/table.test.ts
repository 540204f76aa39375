import t from 'tap'
import { resultTable, undocumentedRows } from './table.ts'

t.test('the table shows which failures have no id', async t => {
  const kind = { name: 'route', title: 'route handler', path: '/route', button: null, source: 'route.js' }
  const found = { kind, hasId: true, isFoundById: true, isSourceLineRight: true, isRequestKnown: false }
  const table = resultTable([
    { application: 'Next.js 16.4', results: [found, { ...found, hasId: false, isFoundById: null }] },
  ])
  t.same(table.split('\n').slice(2), [
    '| Next.js 16.4 | route handler | yes | yes | yes | no |',
    '| Next.js 16.4 | route handler | none | no id | yes | no |',
  ])
})

t.test('results that differ from the document are found', async t => {
  const document = '| application  | failure |\n| ------------ | ------- |\n| Next.js 16.4 | yes     |\n'
  t.same(undocumentedRows('| application | failure |\n| --- | --- |\n| Next.js 16.4 | yes |', document), [])
  t.same(undocumentedRows('| Next.js 16.4 | no |', document), ['| Next.js 16.4 | no |'])
})
