// @ts-check
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packagesStamp } from '../prepare/packages.mjs'
import { root } from '../prepare/root.mjs'
import { run } from '../prepare/run.mjs'
import { parseTap } from './parse-tap.mjs'

const tap = join(root, 'node_modules', '.bin', 'tap')
const stampFile = join(root, 'node_modules', '.sixpane-tap')

/** Builds tap's test class with the plugins in .taprc, unless it is up to date. */
export async function buildTap() {
  const hash = createHash('sha256')
    .update(await packagesStamp())
    .update(readFileSync(join(root, '.taprc')))
  const stamp = hash.digest('hex')
  const isUpToDate = existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
  if (isUpToDate && existsSync(join(root, '.tap', 'plugins'))) return { code: 0, output: '' }
  const outcome = await run(tap, ['build'])
  if (outcome.code === 0) writeFileSync(stampFile, stamp)
  return outcome
}

/**
 * Runs test files, and prints one line per file and the details of failures.
 * @param {readonly string[]} files
 * @returns {Promise<import('./parse-tap.mjs').Counts & { failures: string }>} `failures`: what was printed about failed tests
 */
export async function runTap(files) {
  const child = spawn(tap, ['--reporter=tap', ...files], {
    cwd: root,
    env: { ...process.env, TAP: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise(resolve => child.once('close', resolve))
  /** @type {string[]} */
  const failures = []
  const print = (/** @type {string} */ line) => {
    console.log(line)
    if (!/^[✔-] /.test(line)) failures.push(line)
  }
  const counts = await parseTap(createInterface({ input: child.stdout }), print)
  // If tap exits with an error without reporting a failure, the run must still fail.
  if ((await ended) !== 0 && counts.failed === 0) {
    print('✖ tap exited with an error')
    counts.failed += 1
  }
  return { ...counts, failures: failures.join('\n') }
}
