/**
 * Builds applications with real frameworks, causes failures in a browser and looks for them in Sixpane. Exits with code 1 if
 * the results differ from docs/frameworks.md. With `--newest`, exits with code 75 if npm cannot install a framework.
 * Without arguments, also writes the results to the document if all applications could be checked.
 *
 *   npm run test:frameworks             all applications
 *   npm run test:frameworks -- --newest only the newest version of each framework, if relevant sources have changed
 *   npm run test:frameworks -- next-15  only this version
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import pLimit from 'p-limit'
import { createStamp } from './check-stamp.ts'
import type { Application } from './frameworks/application.ts'
import { applications } from './frameworks/applications.ts'
import { checkApplication } from './frameworks/check-application.ts'
import { resultTable, undocumentedRows } from './frameworks/table.ts'
import { InstallError } from './install-package.mjs'
import { replaceSection } from './markdown.ts'
import { root } from './prepare/root.mjs'
import { prepareOrExit } from './prepare.mjs'
import { findBrowser } from './test/browser.mjs'

// The exit handlers stop the running applications.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

const stamp = createStamp('frameworks', [
  ...['client/cli', 'client/sdk', 'scripts/frameworks', 'shared'],
  ...['server/failures', 'server/grouping', 'server/ingest', 'server/source-maps', 'server/stacks'],
])

/** How many applications are built and checked at the same time. */
const maxConcurrent = 3

const args = process.argv.slice(2)
const isNewestOnly = args.includes('--newest')
const chosen = applications.filter(
  ({ version, isNewest }) => args.length === 0 || args.includes(version) || (isNewestOnly && isNewest),
)
if (chosen.length === 0)
  throw new Error(`Unknown version. Versions: ${applications.map(({ version }) => version).join(', ')}`)
if (isNewestOnly && (await stamp.isCurrent())) process.exit(0)

await prepareOrExit()
const found = await findBrowser(line => process.stdout.write(`${line}\n`))
if ('problem' in found) throw new Error(found.problem)
const browser = await chromium.launch({ executablePath: found.path })
// The checks mostly wait, so several run at the same time. Applications of the same version are installed in the same folder,
// so they run one after another.
const limit = pLimit(maxConcurrent)
const versions = [...new Set(chosen.map(({ version }) => version))]
const groups = versions.map(version => chosen.filter(each => each.version === version))
const document = join(root, 'docs/frameworks.md')
const text = await readFile(document, 'utf8')
const outcomes = await Promise.all(groups.map(group => limit(() => checkAll(group))))
await browser.close()
const results = outcomes.flatMap(outcome => (Array.isArray(outcome) ? outcome : []))
const errors = outcomes.filter(outcome => outcome instanceof Error)
const notInstalled = errors.filter(error => isNewestOnly && error instanceof InstallError)
const differing = undocumentedRows(resultTable(results), text)
for (const error of errors) process.stdout.write(`${error.message}\n`)
if (differing.length > 0) {
  process.stdout.write(`These results differ from docs/frameworks.md:\n${differing.join('\n')}\n`)
  process.exitCode = 1
} else if (errors.length > notInstalled.length) process.exitCode = 1
else if (notInstalled.length > 0) process.exitCode = 75
else if (isNewestOnly) await stamp.remember()
if (args.length === 0 && errors.length === 0)
  await writeFile(document, replaceSection(text, 'table', resultTable(results)))

/** Returns the results, or the error if an application could not be checked. */
async function checkAll(group: readonly Application[]) {
  const results = []
  try {
    for (const application of group) results.push(await checkTwice(application))
    process.stdout.write(`${resultTable(results)}\n`)
    return results
  } catch (error) {
    const names = group.map(({ name }) => name).join(', ')
    return error instanceof InstallError ? error : new Error(`${names}: ${String(error)}`)
  }
}

/** Checks an application again after an error or an undocumented result, because a stalled machine can cause either. */
async function checkTwice(application: Application) {
  try {
    const results = await check(application)
    const differing = undocumentedRows(resultTable([results]), text)
    if (differing.length === 0) return results
    process.stdout.write(
      `Checking ${application.name} again, because these results differ from docs/frameworks.md:\n${differing.join('\n')}\n`,
    )
  } catch (error) {
    if (error instanceof InstallError) throw error
    process.stdout.write(`Checking ${application.name} again after an error: ${String(error)}\n`)
  }
  return check(application)
}

async function check(application: Application) {
  return { application: application.name, results: await checkApplication(application, browser) }
}
