import t from 'tap'
import { countsHref } from './use-count-refresh.ts'

t.test('the counts are those of the shown log, whose range may result from the open event', async t => {
  t.equal(countsHref('/activities'), '/activities?view=counts')
  t.equal(countsHref('/activities?q=a&range=6h'), '/activities?q=a&range=6h&view=counts')
  t.equal(countsHref('/activities?event=7'), '/activities?event=7&view=counts')
})
