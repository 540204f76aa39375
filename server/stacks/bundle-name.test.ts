import t from 'tap'
import { isBundle, withoutHash } from './bundle-name.ts'

t.test('recognises bundles by the hash in their name, the `.next` folder or their URL', async t => {
  t.ok(isBundle('/assets/chunk-AB12CD34.js'))
  t.ok(isBundle('/app/.next/server/app/page.js'))
  t.ok(isBundle('blob:https://shop.example/1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed'))
  for (const file of ['server/cart.ts', 'src/CheckoutForm.js', 'step-2.js', 'cart_total.js'])
    t.notOk(isBundle(file), file)
})

t.test('recognises chunks of SvelteKit, Nuxt and Astro, whose hashes may consist of letters', async t => {
  const names: Record<string, string> = {
    '/_app/immutable/chunks/CGO84EJ7.js': '.js',
    '/shop/_app/immutable/nodes/0.C0yx0l-6.js': '.js',
    '/_app/immutable/entry/app.DiwrgTda.js': 'app.js',
    '/_nuxt/DiwrgTda.js': '.js',
    '/_nuxt/entry.DiwrgTda.mjs': 'entry.mjs',
    '/_astro/Cart.astro_astro_type_script_index_0_lang.DiwrgTda.js':
      'Cart.astro_astro_type_script_index_0_lang.js',
  }
  for (const [file, name] of Object.entries(names)) {
    t.ok(isBundle(file), file)
    t.equal(withoutHash(file), name, file)
  }
  for (const file of [
    '/_nuxt/pages/checkout.js',
    '/_nuxt/app.js',
    '/nuxt/checkout.js',
    '/src/app.checkout.js',
  ])
    t.notOk(isBundle(file), file)
})

t.test('words with a number are not hashes', async t => {
  for (const name of [
    'get-order-v2.js',
    'get-price-v2.js',
    'to-base64url.js',
    'google-oauth2client.js',
    'upload-s3client.js',
    'cart.service2.js',
    'get-2fa-code.js',
  ]) {
    t.equal(withoutHash(`/app/handlers/${name}`), name)
    t.notOk(isBundle(`/app/dist/handlers/${name}`), name)
  }
})

t.test('recognises the hashes of each bundler', async t => {
  const hashes: Record<string, readonly string[]> = {
    esbuild: ['AB12CD34', 'QWERTY22', 'XKJ5ZZ2A'],
    webpack: ['4f3a2b1c', '182b6b13bdad92e3', 'abcdefa1', '4f3a2b1c5d6e7f809182'],
    Vite: ['DiwrgTda', 'D1wrgTda', 'C0yx0l-6', 'B_x-9aZq', 'abcdEf-2'],
    Bun: ['8n8xyeg5', 'ks38bzg5', 'n4xqfyyn', 'bcdfghj2'],
  }
  for (const [bundler, all] of Object.entries(hashes)) {
    for (const hash of all) t.equal(withoutHash(`/x/cart-${hash}.js`), 'cart.js', bundler)
  }
  // In these folders, every file has a hash.
  for (const folder of ['/assets', '/_next/static/chunks', '/srv/.next/server/chunks'])
    t.equal(withoutHash(`${folder}/cart-order-v2.js`), 'cart.js', folder)
})
