import t from 'tap'
import { stableFunctionName, stablePath } from './stable-names.ts'

t.test('file paths are stable across installations and builds', async t => {
  const cases: Record<string, string> = {
    'server/screens/home.ts': 'server/screens/home.ts',
    '/app/src/CheckoutForm.tsx': 'src/CheckoutForm.tsx',
    '/home/anna/shop/src/CheckoutForm.tsx': 'src/CheckoutForm.tsx',
    'C:/shop/src/cart.js': 'src/cart.js',
    '/assets/chunk-AB12CD34.js': 'assets/chunk.js',
    '/assets/main.4f3a2b1c.js': 'assets/main.js',
    '/assets/index-DiwrgTda.js': 'assets/index.js',
    '/_app/immutable/chunks/CGO84EJ7.js': 'chunks/.js',
    '/_nuxt/entry.DiwrgTda.js': '_nuxt/entry.js',
    '/app/handlers/get-order-v2.js': 'handlers/get-order-v2.js',
    '/_next/static/chunks/4bd1b696-182b6b13bdad92e3.js': '_next/static/chunks/.js',
    'chunks/1234.js': 'chunks/.js',
    '/_next/static/chunks/1234-182b6b13bdad92e3.js': '_next/static/chunks/.js',
    '/_next/static/chunks/app/orders/[id]/page-4bd1b696aa11.js':
      '_next/static/chunks/app/orders/[id]/page.js',
    '/srv/shop/.next/server/chunks/ssr/[root-of-the-server]__0f3c2d1e._.js':
      '.next/server/chunks/ssr/[root-of-the-server]_.js',
    'app/cart_page_tsx_1a2b3c._.js': 'app/cart_page_tsx.js',
    'blob:https://shop.example/1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed': 'blob:',
    'https://shop.example/orders/1234': '<page>',
    'wasm://wasm/app.wasm-0133c842:wasm-function[3874]:0x466e23': 'app.wasm',
    '/pkg/app_bg.wasm:wasm-function[12]:0x1a2b': 'pkg/app_bg.wasm',
    '/assets/app_bg-DiwrgTda.wasm:wasm-function[12]:0x1a2b': 'assets/app_bg.wasm',
    '[wasm code]': '[wasm code]',
    'com/shop/Cart.java': 'com/shop/Cart.java',
    '/srv/app/shop/views.py': 'shop/views.py',
    '/srv/releases/20251121/cart.js': '0/cart.js',
    '/srv/releases/9f8e7d6c/cart.js': '0/cart.js',
    '/srv/releases/9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c/cart.js': '0/cart.js',
    '/static/ab3fe9d/main.js': '0/main.js',
    'packages/facade/b2b/cart.js': 'packages/facade/b0b/cart.js',
  }
  for (const [file, stable] of Object.entries(cases)) t.equal(stablePath(file), stable, file)
})

t.test('function names do not contain compiler-generated numbers', async t => {
  const names: Record<string, Record<string, string>> = {
    'cart.go': {
      'example.com/shop/cart.(*Cart).Total': 'cart.(*Cart).Total',
      'example.com/shop/cart.(*Cart[...]).Total.func2.1': 'cart.(*Cart).Total',
      'main.sum[...].func1': 'main.sum',
      'main.sum-range1': 'main.sum',
      'main.sum.func2-range13': 'main.sum',
      'main.(*Cart).Total-fm': 'main.(*Cart).Total',
    },
    'Cart.cs': {
      'Shop.Cart.Total': 'Total',
      'Shop.Cart.<>c.<Total>b__5_0': '<Total>b__',
      'Shop.Cart.<>c__DisplayClass5_0.<Total>b__1': '<Total>b__',
      'Shop.Cart.<Total>g__Sum|5_1': '<Total>g__Sum|',
      'Shop.Cart.<<Total>g__Sum|5_1>b__0': '<<Total>g__Sum|>b__',
      'Program.<>c.<<Main>$>b__0_3': '<<Main>$>b__',
      'Shop.Cart.<Total>g__Sum|5_1[T]': '<Total>g__Sum|[T]',
      'Shop.Fees.total@13-2.Invoke': 'total',
    },
    'Fees.fs': { 'Shop.Fees.total@13-2.Invoke': 'total', 'Shop.Fees.total': 'total' },
    'Cart.vb': { 'Shop.Cart._Closure$__._Lambda$__1-0': '_Lambda$__' },
    'wasm://wasm/app.wasm-0133c842:wasm-function[3874]:0x466e23': {
      'app.wasm.shop::cart::total::h0123456789abcdef': 'shop::cart::total',
      'shop::cart::had': 'shop::cart::had',
      'main.total': 'main.total',
    },
    '/assets/app_bg-DiwrgTda.wasm:wasm-function[12]:0x1a2b': { 'shop::total': 'shop::total' },
    'Cart.kt': {
      'com.shop.CartKt.main$lambda$1$lambda$0': 'main$lambda$lambda',
      'com.shop.CartKt.total$default': 'total$default',
      'com.shop.Cart$total$2.invokeSuspend': 'total',
      'com.shop.Cart$total$1$taxes$2.invokeSuspend': 'taxes',
      'com.shop.Cart$total$1.invoke': 'total',
      'com.shop.Cart$Item.invoke': 'invoke',
    },
    'cart.clj': {
      'shop.cart$total.invokeStatic': 'total',
      'shop.cart$total$fn__1234.invoke': 'total',
      'shop.cart$_main.doInvoke': '_main',
      'shop.cart$fn__1234.invoke': 'invoke',
    },
    'Cart.scala': {
      'com.shop.Cart.$anonfun$total$1$adapted': 'total',
      'com.shop.Cart.$anonfun$total$3': 'total',
      'com.shop.Cart$$anonfun$receive$1.applyOrElse': 'receive',
      'com.shop.Cart$$anonfun$1.applyOrElse': 'applyOrElse',
      'com.shop.Cart$$anon$1.run': 'run',
    },
  }
  for (const [file, stableNames] of Object.entries(names)) {
    for (const [name, stable] of Object.entries(stableNames))
      t.equal(stableFunctionName(name, file), stable, name)
  }
})

t.test('long names are processed in linear time', async t => {
  for (const seed of [
    'a',
    '1',
    '.',
    '/',
    '.1',
    '-fm',
    '-range1',
    '[...]',
    '$1',
    '$a',
    '_1',
    '>b__',
    '|1',
    '@1',
    '@1-1.',
    '/1',
    '()',
    '<',
  ]) {
    const long = seed.repeat(1e5 / seed.length)
    for (const name of [long, `${long}x`, `${long}.invoke`, `>b__${long}x`]) {
      t.ok(stablePath(`/${name}/cart.js`).endsWith('cart.js'), seed)
      for (const extension of ['go', 'java', 'cs', 'fs', 'ex', 'js'])
        t.type(stableFunctionName(name, `cart.${extension}`) ?? '', 'string')
    }
  }
})
