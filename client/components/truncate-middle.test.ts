import t from 'tap'
import { truncateMiddle } from './truncate-middle.ts'

t.test('truncates long text in the middle, but never inside a character', async t => {
  t.equal(truncateMiddle('checkout-api', 13), 'checkout-api')
  t.equal(truncateMiddle('catalog-service-primary', 13), 'catalo…rimary')
  t.equal(truncateMiddle('😀'.repeat(30), 13), `${'😀'.repeat(6)}…${'😀'.repeat(6)}`)
})
