import t from 'tap'
import { isBundle } from './bundle-name.ts'

t.test('recognises bundles by the hash in their name or by the `.next` folder', async t => {
  t.ok(isBundle('/assets/chunk-AB12CD34.js'))
  t.ok(isBundle('/app/.next/server/app/page.js'))
  for (const file of ['server/cart.ts', 'src/CheckoutForm.js', 'step-2.js', 'cart_total.js'])
    t.notOk(isBundle(file), file)
})
