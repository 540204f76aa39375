// @ts-check
/** `npm run pictures`: replaces the reference screenshots of the visual tests. */
import './prepare/node.mjs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from './prepare/root.mjs'
import { prepareOrExit } from './prepare.mjs'
import { findBrowser } from './test/browser.mjs'
import { runPlaywright } from './test/playwright.mjs'

await prepareOrExit()
const browser = await findBrowser(console.log)
if ('problem' in browser) throw new Error(browser.problem)

const folder = join(root, 'client', 'e2e', 'pictures')
for (const path of await readdir(folder, { recursive: true })) {
  if (path.endsWith('.png')) await rm(join(folder, path))
}
const { failed } = await runPlaywright(['visual.test.ts', '--update-snapshots=all'], browser.path)
process.exitCode = failed === 0 ? 0 : 1
