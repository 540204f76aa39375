import type { Page } from '@playwright/test'
import type { Application } from './application.ts'
import { withSentry } from './sentry-build.ts'
import { failureAt, webFramework } from './web-framework.ts'

const page = (name: string, title: string) => failureAt(name, title, `app/pages/${name}.vue`)

const nuxt: Omit<Application, 'name' | 'version' | 'isNewest'> = {
  ...webFramework,
  folder: 'nuxt',
  node: '24',
  env: { HOST: '127.0.0.1', NUXT_TELEMETRY_DISABLED: '1' },
  build: './node_modules/.bin/nuxt build',
  start: 'exec node .output/server/index.mjs',
  failures: [
    page('page', '`setup` of a page, on the server'),
    page('component', 'template, rendered on the server'),
    failureAt('api/route', 'API route', 'server/api/route.js'),
    {
      ...failureAt('fetch', 'API route, called in the browser', 'server/api/order.js'),
      button: 'Order',
      requestPath: '/api/order',
    },
    failureAt('middleware', 'server middleware', 'server/middleware/failing.js'),
    { ...page('click', 'event handler in the browser'), button: 'Cancel' },
  ],
}

/** Opens a page that does not exist, and one that finds no data, on the server and in the browser. */
async function openMissingPages(page: Page, origin: string): Promise<void> {
  for (const path of ['/nowhere', '/missing', '/expected'])
    await page.goto(origin + path, { waitUntil: 'networkidle' })
  await page.getByRole('link', { name: 'Missing' }).click()
  await page.getByText('no such product').waitFor()
}

export const nuxtApplications: readonly Application[] = [
  {
    ...nuxt,
    name: 'Nuxt 4.5',
    version: 'nuxt-4',
    isNewest: true,
    failures: [
      ...nuxt.failures,
      failureAt('plugin', 'plugin at startup in the browser', 'app/plugins/start.client.js'),
    ],
    checkOthers: openMissingPages,
  },
  {
    ...nuxt,
    ...withSentry({
      build: nuxt.build,
      start: 'exec node --import ./.output/server/sentry.server.config.mjs .output/server/index.mjs',
    }),
    name: 'Nuxt 4.5 with `@sentry/nuxt` 10',
    version: 'nuxt-4-sentry',
    isNewest: false,
  },
]
