import t from 'tap'
import { countsHref } from './use-count-refresh.ts'

t.test('the URL of the counts preserves the search, the range and the open event', async t => {
  t.equal(countsHref('/activities'), '/activities?view=counts')
  t.equal(countsHref('/activities?q=a&range=6h'), '/activities?q=a&range=6h&view=counts')
  t.equal(countsHref('/activities?event=7'), '/activities?event=7&view=counts')
})
