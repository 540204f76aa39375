// @ts-check
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../prepare/root.mjs'
import { run } from '../prepare/run.mjs'

const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js')

/**
 * Maximum number of flaky tests, which fail once and then pass, for example on a busy machine. If there are more, they
 * indicate a defect, and all of them count as failed.
 */
const maxFlaky = 1

/**
 * Runs browser tests and prints their results.
 * @param {readonly string[]} args files and options of `playwright test`
 * @param {string} browserPath
 * @returns {Promise<import('./parse-tap.mjs').Counts>}
 */
export async function runPlaywright(args, browserPath) {
  const folder = await mkdtemp(join(tmpdir(), 'sixpane-playwright-'))
  const report = join(folder, 'report.json')
  const { code } = await run(process.execPath, [cli, 'test', '--reporter=list,json', ...args], {
    env: { ...process.env, CHROMIUM_PATH: browserPath, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    inherit: true,
  })
  try {
    const { stats, errors } = JSON.parse(await readFile(report, 'utf8'))
    const isTolerated = stats.flaky <= maxFlaky
    if (stats.flaky > 0 && isTolerated) console.log('1 flaky test. Find the cause in the output above.')
    const failed = stats.unexpected + errors.length + (isTolerated ? 0 : stats.flaky)
    return {
      passed: stats.expected + (isTolerated ? stats.flaky : 0),
      failed: failed === 0 && code !== 0 ? 1 : failed,
      skipped: stats.skipped,
    }
  } catch {
    return { passed: 0, failed: 1, skipped: 0 }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
