import t from 'tap'
import { splitUrl } from './request-url.ts'

t.test('splits the URL at the first question mark only', async t => {
  t.same(splitUrl('/activities'), { path: '/activities', search: null })
  t.same(splitUrl('/activities?'), { path: '/activities', search: '' })
  t.same(splitUrl('/activities?q=why?&range=1h'), { path: '/activities', search: 'q=why?&range=1h' })
})
