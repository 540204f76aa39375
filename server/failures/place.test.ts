import t from 'tap'
import { isBundle, placeOf, stablePlace } from './place.ts'

t.test('gives the file relative to the application', async t => {
  const cases: [string, string, boolean][] = [
    ['/srv/sixpane/server/cart.ts', 'server/cart.ts', true],
    ['file:///srv/sixpane/server/cart.ts?v=2', 'server/cart.ts', true],
    ['server/cart.ts', 'server/cart.ts', true],
    ['../../server/cart.ts', 'server/cart.ts', true],
    ['webpack-internal:///(rsc)/./app/(shop)/page.tsx', 'app/(shop)/page.tsx', true],
    ['turbopack:///[project]/app/page.tsx', 'app/page.tsx', true],
    ['webpack://shop/./src/cart.ts', 'src/cart.ts', true],
    ['https://shop.example/assets/entry-AB12CD34.js?x=1#y', '/assets/entry-AB12CD34.js', true],
    ['file:///C:/shop/src/cart.js', 'C:/shop/src/cart.js', true],
    [
      '/srv/sixpane/node_modules/.pnpm/fastify@5/node_modules/fastify/x.js',
      'node_modules/fastify/x.js',
      false,
    ],
    ['node:internal/process/task_queues', 'node:internal/process/task_queues', false],
    ['<anonymous>', '<anonymous>', false],
    ['native', 'native', false],
    ['index 0', 'index 0', false],
  ]
  for (const [file, place, inApp] of cases)
    t.same(placeOf(file, '/srv/sixpane'), { file: place, inApp }, file)
})

t.test('keeps of a file what no installation and no build changes', async t => {
  const cases: Record<string, string> = {
    'server/screens/home.ts': 'server/screens/home.ts',
    '/app/src/CheckoutForm.tsx': 'src/CheckoutForm.tsx',
    '/home/anna/shop/src/CheckoutForm.tsx': 'src/CheckoutForm.tsx',
    'C:/shop/src/cart.js': 'src/cart.js',
    '/assets/chunk-AB12CD34.js': 'assets/chunk.js',
    '/assets/main.4f3a2b1c.js': 'assets/main.js',
    '/assets/index-DiwrgTda.js': 'assets/index.js',
    '/_next/static/chunks/4bd1b696-182b6b13bdad92e3.js': 'chunks/.js',
    'chunks/1234.js': 'chunks/.js',
    '/srv/releases/20251121/cart.js': '0/cart.js',
  }
  for (const [file, stable] of Object.entries(cases)) t.equal(stablePlace(file), stable, file)
})

t.test('knows a bundle by its name', async t => {
  t.ok(isBundle('/assets/chunk-AB12CD34.js'))
  t.ok(isBundle('/app/.next/server/app/page.js'))
  for (const file of ['server/cart.ts', 'src/CheckoutForm.js', 'step-2.js', 'cart_total.js'])
    t.notOk(isBundle(file), file)
})
