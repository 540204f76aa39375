import type { Page } from '@playwright/test'
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
    checkOthers: async (page, origin) => {
      await causeExpectedErrors(page, origin)
      await checkCrossSiteRequest(page, origin)
    },
  },
]

/** Causes errors with a 4xx status and invalid search parameters, which the error pages show unchanged. */
async function causeExpectedErrors(page: Page, origin: string): Promise<void> {
  const pages = [
    { link: 'Denied', message: 'not your orders' },
    { link: 'Search', message: 'count is not a number' },
  ]
  for (const { link, message } of pages) {
    await page.goto(`${origin}/expected`, { waitUntil: 'networkidle' })
    await page.getByRole('link', { name: link }).click()
    await page.getByText(message).waitFor()
  }
  await page.goto(`${origin}/search?count=many`, { waitUntil: 'networkidle' })
  await page.getByText('count is not a number').waitFor()
}

/** Repeats the request of a server function. The framework rejects it only if another website sends it. */
async function checkCrossSiteRequest(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/function`, { waitUntil: 'networkidle' })
  const requested = page.waitForRequest(/\/_serverFn\//)
  await page.getByRole('button', { name: 'Order' }).click()
  const request = await requested
  const headers = await request.allHeaders()
  for (const site of ['same-origin', 'cross-site']) {
    const { status } = await fetch(request.url(), {
      method: request.method(),
      headers: { ...headers, 'sec-fetch-site': site },
    })
    if ((status === 403) !== (site === 'cross-site'))
      throw new Error(`The response to a ${site} request of a server function has status ${status}`)
  }
}
