import t from 'tap'
import { locateFile } from './file-location.ts'

t.test('returns paths relative to the application', async t => {
  const cases: [string, string, boolean][] = [
    ['/srv/sixpane/server/cart.ts', 'server/cart.ts', true],
    ['file:///srv/sixpane/server/cart.ts?v=2', 'server/cart.ts', true],
    ['server/cart.ts', 'server/cart.ts', true],
    ['../../server/cart.ts', 'server/cart.ts', true],
    ['webpack-internal:///(rsc)/./app/(shop)/page.tsx', 'app/(shop)/page.tsx', true],
    ['turbopack:///[project]/app/page.tsx', 'app/page.tsx', true],
    ['about://React/Server/webpack-internal:///(rsc)/./app/page.tsx?3', 'app/page.tsx', true],
    ['rsc://React/Server/file:///srv/sixpane/app/page.tsx?0', 'app/page.tsx', true],
    ['file:///srv/sixpane/app/orders/%5Bid%5D/page.js', 'app/orders/[id]/page.js', true],
    ['/srv/sixpane/app/orders/[id]/page.js', 'app/orders/[id]/page.js', true],
    ['https://shop.example/_next/%5Bid%5D/a.js?x=%', '/_next/[id]/a.js', true],
    ['about://React/Server/file:///srv/sixpane/app/%5Bid%5D/page.tsx?12', 'app/[id]/page.tsx', true],
    ['/srv/sixpane/app/100%/page.js', 'app/100%/page.js', true],
    ['/srv/sixpane/app/%5B%E0%A4%A/page.js', 'app/%5B%E0%A4%A/page.js', true],
    ['file:///srv/sixpane/.next/dev/%5Bturbopack%5D_runtime.js', '.next/dev/[turbopack]_runtime.js', true],
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
    ['https://shop.example/orders/1234?from=mail#top', 'https://shop.example/orders/1234', true],
    ['https://shop.example/', 'https://shop.example/', true],
    ['https://shop.example/about.html', 'https://shop.example/about.html', true],
    ['http://localhost:5173/@vite/client', '/@vite/client', true],
    ['http://localhost:5173/@id/__x00__virtual:cart', '/@id/__x00__virtual:cart', true],
    ['http://localhost:5173/@react-refresh', '/@react-refresh', true],
    ['http://localhost:8081/index.bundle//&platform=ios', '/index.bundle//&platform=ios', true],
    ['https://www.googletagmanager.com/gtag/js?id=5', '/gtag/js', true],
    ['https://cdn.example/npm/vue@3', '/npm/vue@3', true],
    [
      'wasm://wasm/app.wasm-0133c842:wasm-function[3874]:0x466e23',
      'wasm://wasm/app.wasm-0133c842:wasm-function[3874]:0x466e23',
      true,
    ],
    [
      'https://shop.example/pkg/app_bg.wasm?v=1:wasm-function[12]:0x1a2b',
      '/pkg/app_bg.wasm:wasm-function[12]:0x1a2b',
      true,
    ],
    // A module without a name can be of a library, such as the HTTP parser in Node.
    ['wasm://wasm/0145fffe:wasm-function[0]:0x1e', 'wasm://wasm/0145fffe:wasm-function[0]:0x1e', false],
    ['[wasm code]', '[wasm code]', true],
    ['<anonymous>', '<anonymous>', false],
    ['<frozen importlib._bootstrap>', '<frozen importlib._bootstrap>', false],
    ['native', 'native', false],
    ['index 0', 'index 0', false],
  ]
  for (const [file, path, inApp] of cases)
    t.same(locateFile(file, '/srv/sixpane'), { file: path, inApp }, file)
})

t.test('distinguishes libraries from application files in every language', async t => {
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
    'ext:deno_http/00_serve.ts': 'ext:deno_http/00_serve.ts',
    'https://deno.land/std@0.200.0/http/server.ts': 'deno.land/std@0.200.0/http/server.ts',
    'https://deno.land/x/oak@v12.6.1/application.ts': 'deno.land/x/oak@v12.6.1/application.ts',
    'https://jsr.io/@std/http/1.1.2/file_server.ts': 'jsr.io/@std/http/1.1.2/file_server.ts',
    'https://esm.sh/hono@4.0.0/denonext/hono.mjs': 'esm.sh/hono@4.0.0/denonext/hono.mjs',
    'file:///root/.cache/deno/npm/registry.npmjs.org/hono/4.0.0/dist/hono.js':
      'deno/npm/registry.npmjs.org/hono/4.0.0/dist/hono.js',
    'file:///deno-dir/npm/registry.npmjs.org/hono/4.0.0/dist/hono.js':
      'deno-dir/npm/registry.npmjs.org/hono/4.0.0/dist/hono.js',
    'System/Number.cs': 'System/Number.cs',
    'D:\\a\\_work\\1\\s\\src\\FSharp.Core\\async.fs': 'FSharp.Core/async.fs',
    '/usr/local/bundle/gems/rack-3.0.8/lib/rack/head.rb': 'gems/rack-3.0.8/lib/rack/head.rb',
    '/app/vendor/bundle/ruby/3.3.0/gems/action_text-7.1.3.rc1/app/views/a.html.erb':
      'gems/action_text-7.1.3.rc1/app/views/a.html.erb',
    '/usr/local/bundle/bundler/gems/pay-kit-3fb1c2d4e5f6/lib/pay.rb': 'gems/pay-kit-3fb1c2d4e5f6/lib/pay.rb',
    '/usr/local/lib/ruby/3.3.0/json/common.rb': 'json/common.rb',
    '/usr/lib/ruby/vendor_ruby/rack.rb': 'rack.rb',
    '/var/www/html/vendor/laravel/framework/src/Illuminate/Routing/Router.php':
      'vendor/laravel/framework/src/Illuminate/Routing/Router.php',
    '/vendor/composer/ClassLoader.php': 'vendor/composer/ClassLoader.php',
    '[internal]': '[internal]',
    'file:///var/runtime/index.mjs': '/var/runtime/index.mjs',
    '/var/runtime/lib/lambda_handler.rb': '/var/runtime/lib/lambda_handler.rb',
    'lambdainternal/EventHandlerLoader.java': 'lambdainternal/EventHandlerLoader.java',
    '/opt/rust/nodejs.js': '/opt/rust/nodejs.js',
    '/azure-functions-host/workers/node/dist/src/worker-bundle.js':
      '/azure-functions-host/workers/node/dist/src/worker-bundle.js',
    '_COROUTINE/CoroutineDebugging.kt': '_COROUTINE/CoroutineDebugging.kt',
    '/_next/static/chunks/framework-8e0e0f4a6b83a956.js':
      '/_next/static/chunks/framework-8e0e0f4a6b83a956.js',
    '/app/.next/server/chunks/ssr/node_modules_next_dist_4e1b2a3c._.js':
      '/app/.next/server/chunks/ssr/node_modules_next_dist_4e1b2a3c._.js',
  }
  for (const [file, path] of Object.entries(libraries))
    t.same(locateFile(file), { file: path, inApp: false }, file)
  const appFiles = [
    'https://shop.example/ext/cart.js',
    '/var/task/index.mjs',
    '/app/var/runtime/cart.js',
    'https://deno.land/cart.js',
    '/app/deno/npm/cart.ts',
    '/app/deno/npm/esm/cart.js',
    'com/shop/java/Cart.java',
    '/app/shop/views.py',
    '/home/anna/go/src/github.com/shop/log/log.go',
    '/src/shop/internal/cart/cart.go',
    'example.com/shop/cart.go',
    '/src/Shop/Cart.cs',
    '/app/app/models/cart.rb',
    '/app/gems/pay-engine/lib/pay.rb',
    '/home/anna/ruby/cart.rb',
    '/var/www/html/app/Http/Controllers/CartController.php',
    '/var/www/html/app/vendor/VendorController.php',
    '/_next/static/chunks/app/cart/page-4bd1b696aa11.js',
  ]
  for (const file of appFiles) t.equal(locateFile(file).inApp, true, file)
})
