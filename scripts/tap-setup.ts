/**
 * Loaded into every test file: what is written with `console.error` or `console.warn` fails the file, unless the
 * test expects it. React says so of hydration mismatches and wrong props, and nobody would read it.
 */
import { format } from 'node:util'
import type { Test } from 'tap'

type Expectation = { text: string | RegExp; met: boolean }

const expectations = new Set<Expectation>()
const unexpected: string[] = []

for (const name of ['error', 'warn'] as const) {
  console[name] = (...values: unknown[]) => {
    const complaint = format(...values)
    const expectation = [...expectations].find(({ text }) => includes(complaint, text))
    if (expectation === undefined) unexpected.push(complaint)
    else expectation.met = true
  }
}

process.on('exit', () => {
  if (unexpected.length === 0) return
  process.stderr.write(`Unexpected on the console of ${process.argv[1]}:\n${unexpected.join('\n')}\n`)
  process.exitCode = 1
})

/** Says that a complaint which holds `text` belongs to the test; the file fails when it does not come. */
export function expectComplaint(t: Test, text: string | RegExp): void {
  const expectation = { text, met: false }
  expectations.add(expectation)
  t.teardown(() => {
    expectations.delete(expectation)
    if (!expectation.met) unexpected.push(`Nothing that holds ${text}, which ${t.name} expects`)
  })
}

function includes(complaint: string, text: string | RegExp): boolean {
  return typeof text === 'string' ? complaint.includes(text) : text.test(complaint)
}
