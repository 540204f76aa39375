import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import { replicaCount, startReplicasAsServer } from '../../scripts/test/replica-set.ts'
import { type StartedServer, startServer } from '../../scripts/test/server.ts'
import { failingCheckout } from './events.ts'
import { failingTrace } from './trace.ts'

export { expect }

export type OpenedPage = Page & {
  /** Allows console messages that contain `text`. */
  expectConsoleMessage(text: string): void
}

type Cleanup = () => unknown

/** The URL of a ClickHouse server. If set, each test server consists of three replicas, which receive requests in turn. */
const clickHouse = process.env.TEST_CLICKHOUSE

/** Starts a server with a new store. */
export function startTestServer(env: Record<string, string> = {}): Promise<StartedServer> {
  return clickHouse === undefined ? startServer(env) : startReplicasAsServer(new URL(clickHouse), env)
}

/** Makes every replica read what the others have stored. Without this call, that takes up to a second. */
export async function changesReachAllReplicas({ origin }: StartedServer): Promise<void> {
  if (clickHouse === undefined) return
  // Before a replica sends a page, it reads what the others have stored. This function sends more requests than there are
  // replicas, because an open page may send requests in between.
  for (let request = 0; request < 2 * replicaCount; request += 1) await (await fetch(origin)).text()
}

export type TestFixtures = {
  /**
   * Opens a page in a new browser context. Unexpected errors and warnings in the browser's console (hydration mismatches,
   * blocked content, uncaught exceptions) fail the test.
   */
  openPage: (options?: BrowserContextOptions) => Promise<OpenedPage>
  /** Runs a function after the test, before the functions that were registered earlier. */
  afterTest: (cleanup: Cleanup) => void
}

type WorkerFixtures = {
  /** A server with a failed checkout and a failed trace, for tests that do not change its data. */
  shop: StartedServer
  /** A server without events, for tests that do not change its data. */
  emptyServer: StartedServer
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  openPage: async ({ browser }, use, testInfo) => {
    const contexts: BrowserContext[] = []
    const loads: string[] = []
    const complaints: string[] = []
    const expected: string[] = []
    await use(async options => {
      const context = await browser.newContext(options)
      contexts.push(context)
      const page = await context.newPage()
      page.on('console', message => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      page.on('pageerror', error => complaints.push(String(error)))
      page.on('request', request => {
        if (request.isNavigationRequest()) loads.push(`${new Date().toISOString()} loads ${request.url()}`)
      })
      page.on('requestfailed', request => {
        loads.push(`${new Date().toISOString()} failed ${request.url()}: ${request.failure()?.errorText}`)
      })
      return Object.assign(page, {
        expectConsoleMessage(text: string) {
          expected.push(text)
        },
      })
    })
    for (const context of contexts) await context.close()
    // A document that loads at an unexpected time is a common cause of flaky tests.
    if (testInfo.status !== testInfo.expectedStatus) console.log(loads.join('\n'))
    const unexpected = complaints.filter(complaint => !expected.some(text => complaint.includes(text)))
    expect(unexpected, 'errors and warnings in the browser console').toEqual([])
  },

  afterTest: async ({ browserName: _ }, use) => {
    const cleanups: Cleanup[] = []
    await use(cleanup => cleanups.push(cleanup))
    for (const cleanup of cleanups.reverse()) await cleanup()
  },

  shop: [
    async ({ browserName: _ }, use) => {
      const server = await startTestServer()
      await server.send(...failingCheckout(Date.now()), ...failingTrace(Date.now()))
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],

  emptyServer: [
    async ({ browserName: _ }, use) => {
      const server = await startTestServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

/**
 * Starts a server before the tests of a file and stops it after them.
 * @param prepare creates the data for the tests, for example by sending events
 */
export function serverForFile(
  env: Record<string, string> = {},
  prepare: (server: StartedServer) => Promise<unknown> = async () => {},
): StartedServer {
  let started: StartedServer | undefined
  test.beforeAll(async () => {
    started = await startTestServer(env)
    await prepare(started)
  })
  test.afterAll(() => started?.stop())

  const server = () => {
    if (started === undefined) throw new Error('The server runs only during tests')
    return started
  }
  return {
    get origin() {
      return server().origin
    },
    get process() {
      return server().process
    },
    get lines() {
      return server().lines
    },
    line: matches => server().line(matches),
    send: (...events) => server().send(...events),
    stop: () => server().stop(),
    kill: () => server().kill(),
  }
}

/** Resolves when React has hydrated the page. */
export async function hydrated(page: Page): Promise<void> {
  await page.locator('html.scripted').waitFor({ state: 'attached' })
  // React adds most listeners in a later task than the one that sets the class.
  await page.evaluate(
    () =>
      new Promise(resolve => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = resolve
        port2.postMessage(null)
      }),
  )
}
