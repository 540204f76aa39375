import type { Application } from './application.ts'
import { withSentry } from './sentry-build.ts'
import { failureAt, webFramework } from './web-framework.ts'

const page = (name: string, title: string, file: string) =>
  failureAt(name, title, `src/routes/${name}/${file}`)

const sveltekit: Omit<Application, 'name' | 'version' | 'isNewest'> = {
  ...webFramework,
  folder: 'sveltekit',
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
}

export const sveltekitApplications: readonly Application[] = [
  { ...sveltekit, name: 'SvelteKit 3.2', version: 'sveltekit-3', isNewest: true },
  {
    ...sveltekit,
    // With SvelteKit 3, the plugin creates debug ids and maps, but does not upload them.
    ...withSentry({
      build: `${sveltekit.build} && ./node_modules/.bin/sentry-cli sourcemaps upload --release "$SENTRY_RELEASE" build`,
      start: 'exec node build',
    }),
    name: 'SvelteKit 3.2 with `@sentry/sveltekit` 10',
    version: 'sveltekit-3-sentry',
    isNewest: false,
  },
]
