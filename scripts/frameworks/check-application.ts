import { randomUUID } from 'node:crypto'
import type { Browser } from '@playwright/test'
import { freePort } from '../../client/cli/local-server.ts'
import { startServer } from '../test/server.ts'
import type { Application } from './application.ts'
import { checkFailure, findOtherFailures, type Result } from './check-failure.ts'
import { runApplication } from './run-application.ts'

/** Builds and runs an application with its own Sixpane, and checks each kind of failure. Throws if other failures were stored. */
export async function checkApplication(application: Application, browser: Browser): Promise<Result[]> {
  // Sixpane must know the application's origin at startup, so that it accepts reports from browsers.
  const port = await freePort()
  const release = randomUUID()
  const server = await startServer({ SIXPANE_BROWSER_ORIGINS: `http://127.0.0.1:${port}` })
  try {
    const running = await runApplication(application, { sixpane: server.origin, release, port })
    try {
      const results: Result[] = []
      if (application.checkOthers !== undefined) {
        const page = await browser.newPage()
        await application.checkOthers(page, running.origin).finally(() => page.close())
      }
      for (const kind of application.failures) {
        const checking = checkFailure(application, kind, running, {
          sixpane: server.origin,
          release,
          browser,
        })
        results.push(
          await checking.catch(cause => {
            throw new Error(`${kind.title}: ${String(cause)}`, { cause })
          }),
        )
      }
      const others = await findOtherFailures(application, { sixpane: server.origin, release })
      if (others.length > 0) throw new Error(`Other failures were stored: ${others.join(', ')}`)
      return results
    } finally {
      await running.stop()
    }
  } finally {
    await server.stop()
  }
}
