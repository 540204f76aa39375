// @ts-check
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { root } from '../prepare/root.mjs'
import { parseTap } from './parse-tap.mjs'

/** More processes than a small machine has cores, because many tests wait for the disk or for other processes. */
const maxProcesses = 4
/** Limit for one test file. */
const timeoutS = 600
/** Twice Node's default, because the tests create many short-lived objects. Saves about a twentieth of the CPU time. */
const semiSpaceMiB = 32
/**
 * How much bytecode a function runs before V8 optimises it. Fifteen times the default, because most functions run only
 * briefly. Saves up to a twentieth of the CPU time.
 */
const interruptBudget = 1_000_000

/**
 * Runs test files, and prints one line per file and the details of failures.
 * @param {readonly (readonly string[])[]} groups the files of each process
 * @param {() => Promise<void>} [afterLastStart] further work, which starts when no group is waiting and one has ended, because
 *   the last groups do not use all cores
 * @returns {Promise<import('./parse-tap.mjs').Counts & { failures: string }>} `failures`: the printed details of failed tests
 */
export async function runTap(groups, afterLastStart = async () => {}) {
  /** @type {string[]} */
  const failures = []
  const print = (/** @type {string} */ line) => {
    console.log(line)
    if (!/^[✔-] /.test(line)) failures.push(line)
  }
  const total = { passed: 0, failed: 0, skipped: 0 }
  // Imported here, because `npm test` loads this file before it installs packages.
  const { default: pLimit } = await import('p-limit')
  const limit = pLimit(maxProcesses)
  const running = groups.map(files =>
    limit(async () => {
      /** @type {string[]} */
      const lines = []
      const counts = await runGroup(files, line => lines.push(line))
      for (const line of lines) print(line)
      total.passed += counts.passed
      total.failed += counts.failed
      total.skipped += counts.skipped
    }),
  )
  await Promise.all([...running, limit(afterLastStart)])
  return { ...total, failures: failures.join('\n') }
}

/** @param {readonly string[]} files @param {(line: string) => void} print */
async function runGroup(files, print) {
  const v8Options = [`--max-semi-space-size=${semiSpaceMiB}`, `--interrupt-budget=${interruptBudget}`]
  const args = ['--import=tsx', '--import=./scripts/tap-setup.ts', 'scripts/test/group.ts']
  const child = spawn(process.execPath, [...v8Options, ...args], {
    cwd: root,
    env: { ...process.env, TAP: '1', TAP_TIMEOUT: String(timeoutS), TEST_FILES: files.join('\n') },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ends a process that does not react to the timeout of its tests.
    timeout: (timeoutS * files.length + 10) * 1000,
    killSignal: 'SIGKILL',
  })
  const ended = new Promise(resolve => child.once('close', resolve))
  const counts = await parseTap(createInterface({ input: child.stdout }), print)
  // If a process exits with an error without reporting a failure, the run must still fail.
  if ((await ended) !== 0 && counts.failed === 0) {
    print(`✖ ${files.join(', ')}: the process exited with an error; see its output above`)
    counts.failed += 1
  }
  return counts
}
