import t from 'tap'
import { failurePage } from './failure-page.ts'

t.test('contains the standard sentence, with and without a digest', async t => {
  const page = failurePage('server', 'logs.example.com', '0123456789')
  t.match(
    page,
    'Application error: a server-side exception has occurred while loading logs.example.com (see the server logs for more information).',
  )
  t.match(page, '<p>Digest: 0123456789</p>')
  t.notMatch(failurePage('server', 'logs.example.com', null), 'Digest')
  t.match(
    failurePage('client', 'localhost:3000', null),
    'Application error: a client-side exception has occurred while loading localhost:3000 (see the browser console for more information).',
  )
})

t.test('escapes the host', async t => {
  t.notMatch(failurePage('server', '<img src=x onerror=alert(1)>', null), '<img')
})
