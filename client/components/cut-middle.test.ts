import t from 'tap'
import { cutMiddle } from './cut-middle.ts'

t.test('cuts long text in the middle, but never inside a character', async t => {
  t.equal(cutMiddle('checkout-api', 13), 'checkout-api')
  t.equal(cutMiddle('catalog-service-primary', 13), 'catalo…rimary')
  t.equal(cutMiddle('😀'.repeat(30), 13), `${'😀'.repeat(6)}…${'😀'.repeat(6)}`)
})
