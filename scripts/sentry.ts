/**
 * Runs applications with Sentry's real SDKs and looks in Sixpane for the data that they send. Exits with code 1 if the
 * results differ from docs/sentry.md. With `--newest`, exits with code 75 if npm cannot install an SDK. Without arguments,
 * also writes the results to the document.
 *
 *   npm run test:sentry             all versions
 *   npm run test:sentry -- --newest only the newest version of each SDK, if relevant sources have changed
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { createStamp } from './check-stamp.ts'
import { undocumentedRows } from './frameworks/table.ts'
import { InstallError } from './install-package.mjs'
import { replaceSection } from './markdown.ts'
import { root } from './prepare/root.mjs'
import { prepareOrExit } from './prepare.mjs'
import { checkSdk } from './sentry/check-sdk.ts'
import { startConsole } from './sentry/console.ts'
import { sdks } from './sentry/sdks.ts'
import { servePages } from './sentry/serve-pages.ts'
import { sdkTable } from './sentry/table.ts'
import { findBrowser } from './test/browser.mjs'

const isNewestOnly = process.argv.includes('--newest')
const stamp = createStamp('sentry', ['client/sdk', 'scripts/sentry', 'server', 'shared'])
if (isNewestOnly && (await stamp.isCurrent())) process.exit(0)

await prepareOrExit()
const found = await findBrowser(line => process.stdout.write(`${line}\n`))
if ('problem' in found) throw new Error(found.problem)
const browser = await chromium.launch({ executablePath: found.path })
const pages = await servePages()
const console = await startConsole(pages.origin)
try {
  const chosen = sdks.filter(({ isNewest }) => isNewest || !isNewestOnly)
  const results = []
  for (const sdk of chosen) results.push(await checkSdk(sdk, { console, browser, pages }))
  const table = sdkTable(results)
  process.stdout.write(`${table}\n`)
  const document = join(root, 'docs/sentry.md')
  const text = await readFile(document, 'utf8')
  if (!isNewestOnly) await writeFile(document, replaceSection(text, 'table', table))
  const differing = undocumentedRows(table, text)
  if (differing.length > 0) {
    process.stdout.write(`These results differ from docs/sentry.md:\n${differing.join('\n')}\n`)
    process.exitCode = 1
  } else if (isNewestOnly) await stamp.remember()
} catch (error) {
  if (!isNewestOnly || !(error instanceof InstallError)) throw error
  process.stdout.write(`${error.message}\n`)
  process.exitCode = 75
} finally {
  await Promise.all([browser.close(), console.server.stop(), pages.stop()])
}
