import t from 'tap'
import { parseColumns } from '../../../shared/columns.ts'
import { hrefWithColumn } from './links.ts'

const page = { logHref: '/activities?range=1h', columns: parseColumns('service,message') }

t.test('an attribute can be added as a column, if the columns in a URL can contain it', async t => {
  const href = new URL(hrefWithColumn(page, { id: 7 }, '@user.plan') ?? '', 'http://console.example')
  t.equal(href.searchParams.get('columns'), 'service,message,@user.plan')
  t.equal(hrefWithColumn({ ...page, columns: parseColumns('message,@a') }, { id: 7 }, '@a'), null)
  for (const key of ['@a,b', '@port:80', `@${'x'.repeat(101)}`] as const)
    t.equal(hrefWithColumn(page, { id: 7 }, key), null, key)
})

t.test('no column can be added if the log has as many as possible', async t => {
  const columns = parseColumns(Array.from({ length: 12 }, (_, index) => `@a${index}`).join())
  t.equal(hrefWithColumn({ ...page, columns }, { id: 7 }, '@b'), null)
})
