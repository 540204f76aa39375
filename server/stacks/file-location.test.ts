import t from 'tap'
import { isBundle, placeOf, stablePlace } from './file-location.ts'

t.test('gives the file relative to the application', async t => {
  const cases: [string, string, boolean][] = [
    ['/srv/sixpane/server/cart.ts', 'server/cart.ts', true],
    ['file:///srv/sixpane/server/cart.ts?v=2', 'server/cart.ts', true],
    ['server/cart.ts', 'server/cart.ts', true],
    ['../../server/cart.ts', 'server/cart.ts', true],
    ['webpack-internal:///(rsc)/./app/(shop)/page.tsx', 'app/(shop)/page.tsx', true],
    ['turbopack:///[project]/app/page.tsx', 'app/page.tsx', true],
    ['about://React/Server/webpack-internal:///(rsc)/./app/page.tsx?3', 'app/page.tsx', true],
    ['rsc://React/Server/file:///srv/sixpane/app/page.tsx?0', 'app/page.tsx', true],
    ['turbopack:///[turbopack]/runtime.ts', '[turbopack]/runtime.ts', false],
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
    ['<frozen importlib._bootstrap>', '<frozen importlib._bootstrap>', false],
    ['native', 'native', false],
    ['index 0', 'index 0', false],
  ]
  for (const [file, place, inApp] of cases)
    t.same(placeOf(file, '/srv/sixpane'), { file: place, inApp }, file)
})

t.test("tells libraries from the application's own files in every language", async t => {
  const libraries: Record<string, string> = {
    'java/util/ArrayList.java': 'java/util/ArrayList.java',
    'org/springframework/web/Filter.java': 'org/springframework/web/Filter.java',
    'kotlinx/coroutines/Task.kt': 'kotlinx/coroutines/Task.kt',
    '/usr/lib/python3.11/json/decoder.py': 'json/decoder.py',
    'C:\\Python311\\Lib\\json\\decoder.py': 'json/decoder.py',
    '/app/.venv/lib/python3.11/site-packages/django/http.py': 'site-packages/django/http.py',
    '/usr/lib/python3/dist-packages/apt/cache.py': 'dist-packages/apt/cache.py',
    '/usr/local/go/src/net/http/server.go': 'net/http/server.go',
    '/opt/hostedtoolcache/go/1.22.1/x64/src/runtime/panic.go': 'runtime/panic.go',
    'runtime/panic.go': 'runtime/panic.go',
    '/root/go/pkg/mod/github.com/go-chi/chi/v5@v5.0.1/mux.go':
      'pkg/mod/github.com/go-chi/chi/v5@v5.0.1/mux.go',
    'github.com/go-chi/chi/v5@v5.0.1/mux.go': 'github.com/go-chi/chi/v5@v5.0.1/mux.go',
    '/src/shop/vendor/github.com/lib/pq/conn.go': 'vendor/github.com/lib/pq/conn.go',
    'System/Number.cs': 'System/Number.cs',
    '/_next/static/chunks/framework-8e0e0f4a6b83a956.js':
      '/_next/static/chunks/framework-8e0e0f4a6b83a956.js',
    '/app/.next/server/chunks/ssr/node_modules_next_dist_4e1b2a3c._.js':
      '/app/.next/server/chunks/ssr/node_modules_next_dist_4e1b2a3c._.js',
  }
  for (const [file, place] of Object.entries(libraries))
    t.same(placeOf(file), { file: place, inApp: false }, file)
  const own = [
    'com/shop/java/Cart.java',
    '/app/shop/views.py',
    '/home/anna/go/src/github.com/shop/log/log.go',
    '/src/shop/internal/cart/cart.go',
    'example.com/shop/cart.go',
    '/src/Shop/Cart.cs',
    '/_next/static/chunks/app/cart/page-4bd1b696aa11.js',
  ]
  for (const file of own) t.equal(placeOf(file).inApp, true, file)
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
    '/_next/static/chunks/4bd1b696-182b6b13bdad92e3.js': '_next/static/chunks/.js',
    'chunks/1234.js': 'chunks/.js',
    '/_next/static/chunks/1234-182b6b13bdad92e3.js': '_next/static/chunks/.js',
    '/_next/static/chunks/app/orders/[id]/page-4bd1b696aa11.js':
      '_next/static/chunks/app/orders/[id]/page.js',
    '/srv/shop/.next/server/chunks/ssr/[root-of-the-server]__0f3c2d1e._.js':
      '.next/server/chunks/ssr/[root-of-the-server]_.js',
    'app/cart_page_tsx_1a2b3c._.js': 'app/cart_page_tsx.js',
    'com/shop/Cart.java': 'com/shop/Cart.java',
    '/srv/app/shop/views.py': 'shop/views.py',
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
