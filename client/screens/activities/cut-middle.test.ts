import t from 'tap'
import { cutMiddle } from './cut-middle.ts'

t.test('cuts a long text in the middle, and never inside a character', async t => {
  t.equal(cutMiddle('checkout-api'), 'checkout-api')
  t.equal(cutMiddle('catalog-service-primary'), 'catalog-…primary')
  t.equal(cutMiddle('😀'.repeat(30)), `${'😀'.repeat(8)}…${'😀'.repeat(7)}`)
})
