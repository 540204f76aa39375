import type { Application } from './application.ts'
import { failureAt, webFramework } from './web-framework.ts'

export const astroApplications: readonly Application[] = [
  {
    ...webFramework,
    name: 'Astro 7.3',
    folder: 'astro',
    version: 'astro-7',
    isNewest: true,
    node: '24',
    env: { HOST: '127.0.0.1', ASTRO_TELEMETRY_DISABLED: '1' },
    build: './node_modules/.bin/astro build',
    start: 'exec node dist/server/entry.mjs',
    failures: [
      failureAt('page', 'page', 'src/pages/page.astro'),
      failureAt('stream', 'component of a page that was partly sent', 'src/components/total.astro'),
      { ...failureAt('form', 'submitted form', 'src/pages/form.astro'), button: 'Order' },
      { ...failureAt('action', 'action, with `reportAction`', 'src/actions/index.js'), button: 'Pay' },
      {
        ...failureAt('island', 'server island', 'src/components/stock.astro'),
        requestPath: '/_server-islands/Stock',
      },
      failureAt('route', 'endpoint', 'src/pages/route.js'),
      failureAt('middleware', 'middleware', 'src/middleware.js'),
      { ...failureAt('click', 'event handler in the browser', 'src/cancel.js'), button: 'Cancel' },
    ],
  },
]
