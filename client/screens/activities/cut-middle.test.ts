import t from 'tap'
import { cutMiddle } from './cut-middle.ts'

t.test('cuts a long text in the middle, and never inside a character', async t => {
  t.equal(cutMiddle('checkout-api'), 'checkout-api')
  t.equal(cutMiddle('catalog-service-primary'), 'catalo…rimary')
  t.equal(cutMiddle('😀'.repeat(30)), `${'😀'.repeat(6)}…${'😀'.repeat(6)}`)
})
