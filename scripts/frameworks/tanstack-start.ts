import type { Application } from './application.ts'
import { failureAt, webFramework } from './web-framework.ts'

const route = (name: string, title: string, file = name) => failureAt(name, title, `src/routes/${file}.jsx`)

export const tanstackStartApplications: readonly Application[] = [
  {
    ...webFramework,
    name: 'TanStack Start 1.169',
    folder: 'tanstack-start',
    version: 'tanstack-start-1',
    isNewest: true,
    node: '24',
    env: { NODE_ENV: 'production' },
    build: './node_modules/.bin/vite build',
    start:
      'exec ./node_modules/.bin/srvx --prod --host 127.0.0.1 --port $PORT -s ../client dist/server/server.js',
    failures: [
      route('load', 'loader'),
      {
        ...route('navigation', 'server function, after navigation in the browser', 'target'),
        button: 'Cart',
        requestPath: '/_serverFn',
      },
      { ...route('function', 'server function'), button: 'Order', requestPath: '/_serverFn' },
      route('render', 'component, rendered on the server'),
      route('api', 'server route'),
      failureAt('middleware', 'middleware', 'src/start.js'),
      { ...route('click', 'event handler in the browser'), button: 'Cancel' },
    ],
  },
]
