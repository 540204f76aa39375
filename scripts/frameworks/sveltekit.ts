import type { Application } from './application.ts'
import { failureAt, webFramework } from './web-framework.ts'

const page = (name: string, title: string, file: string) =>
  failureAt(name, title, `src/routes/${name}/${file}`)

export const sveltekitApplications: readonly Application[] = [
  {
    ...webFramework,
    name: 'SvelteKit 3.2',
    folder: 'sveltekit',
    version: 'sveltekit-3',
    isNewest: true,
    node: '24',
    env: { HOST: '127.0.0.1' },
    build: './node_modules/.bin/vite build',
    start: 'exec node build',
    failures: [
      page('load', '`load` on the server', '+page.server.js'),
      {
        ...page(
          'navigation',
          '`load` on the server, after navigation in the browser',
          'target/+page.server.js',
        ),
        button: 'Cart',
        requestPath: '/navigation/target',
      },
      page('component', 'component, rendered on the server', '+page.svelte'),
      { ...page('action', 'form action', '+page.server.js'), button: 'Order' },
      page('route', 'endpoint', '+server.js'),
      failureAt('hook', '`handle` hook', 'src/hooks.server.js'),
      page('stream', 'streamed data', '+page.server.js'),
      { ...page('click', 'event handler in the browser', '+page.svelte'), button: 'Cancel' },
    ],
  },
]
