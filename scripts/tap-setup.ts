/**
 * Loaded before the unit tests. Property tests use the same values in each run, so that only a code change can cause a
 * failure; `npm run test:fuzz` sets other seeds. An unexpected call to `console.error` or `console.warn` fails the run,
 * because React uses them to report hydration mismatches and invalid props.
 */
import { format } from 'node:util'
// Creates pino's diagnostics channels before any test subscribes to them. If Node.js 20 garbage-collects a channel without
// subscribers and pino then creates it again, later subscribers can get a third channel, to which pino never publishes.
import 'pino'
import fc from 'fast-check'
import type { Test } from 'tap'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })

type Expectation = { text: string | RegExp; met: boolean }

const expectations = new Set<Expectation>()
const unexpected: string[] = []

for (const name of ['error', 'warn'] as const) {
  console[name] = (...values: unknown[]) => {
    const complaint = format(...values)
    const expectation = [...expectations].find(({ text }) => includes(complaint, text))
    if (expectation === undefined) unexpected.push(`${complaint}\n${callerOf()}`)
    else expectation.met = true
  }
}

process.on('exit', () => {
  if (unexpected.length === 0) return
  process.stderr.write(
    `Unexpected or missing console messages in ${process.argv[1]}:\n${unexpected.join('\n')}\n`,
  )
  process.exitCode = 1
})

/** Allows console messages that contain `text`. The run fails if there are none. */
export function expectConsoleMessage(t: Test, text: string | RegExp): void {
  const expectation = { text, met: false }
  expectations.add(expectation)
  t.teardown(() => {
    expectations.delete(expectation)
    if (!expectation.met)
      unexpected.push(`Missing: a message that contains ${text}, which the test "${t.name}" expects`)
  })
}

/** Finds the calling test file in the stack, because several files may run in one process. */
function callerOf(): string {
  const lines = new Error().stack?.split('\n') ?? []
  return lines.filter(line => /\.test\.tsx?\b/.test(line)).join('\n')
}

function includes(complaint: string, text: string | RegExp): boolean {
  return typeof text === 'string' ? complaint.includes(text) : text.test(complaint)
}
