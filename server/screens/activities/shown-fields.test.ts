import t from 'tap'
import { defaultColumns, parseColumns } from '../../../shared/columns.ts'
import type { EventRow } from '../../../shared/event.ts'
import { withShownFields } from './shown-fields.ts'

const row: EventRow = {
  id: 1,
  timeMs: 2,
  severity: 'error',
  service: 'shop',
  release: '1.4.0',
  source: 'ndjson',
  body: 'it broke',
  requestId: 'req-1',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  method: 'GET',
  route: '/cart',
  status: 500,
  durationMs: 3,
  digest: '2338471',
  fingerprint: 'a41c09be72',
  exceptionType: 'TypeError',
  exceptionMessage: 'x is undefined',
}

t.test('the default columns show neither ids nor releases', async t => {
  const shown = withShownFields(row, parseColumns(defaultColumns))
  const none = { release: null, requestId: null, traceId: null, digest: null, fingerprint: null }
  t.same(shown, { ...row, ...none })
})

t.test('a field is sent if a column shows it', async t => {
  const shown = withShownFields(row, parseColumns('release,request,trace,digest'))
  t.same(shown, { ...row, fingerprint: null })
})
