/**
 * Tests a real server under faults and load, and prints a table of results. Exits with code 1 if a goal is missed.
 *
 *   npm run test:faults                    all checks in their long form (about half an hour)
 *   npm run test:faults -- kills overload  only these checks
 *   npm run test:faults -- --short         a few seconds each; durations and rates are printed, but may miss their goals
 */
import { bodies } from './faults/bodies.ts'
import type { Check } from './faults/check.ts'
import { clock } from './faults/clock.ts'
import { eventLoop } from './faults/event-loop.ts'
import { files } from './faults/files.ts'
import { killPoints } from './faults/kill-points.ts'
import { kills } from './faults/kills.ts'
import { overload } from './faults/overload.ts'
import { readers } from './faults/readers.ts'
import { replicas } from './faults/replicas.ts'
import { sentry } from './faults/sentry.ts'
import { soak } from './faults/soak.ts'
import { stalledDisk } from './faults/stalled-disk.ts'
import { prepareOrExit } from './prepare.mjs'

const checks: readonly Check[] = [
  overload,
  bodies,
  eventLoop,
  readers,
  kills,
  killPoints,
  sentry,
  stalledDisk,
  clock,
  files,
  replicas,
  soak,
]
const args = process.argv.slice(2)
const isShort = args.includes('--short')
const names = args.filter(arg => arg !== '--short')
const unknown = names.find(name => !checks.some(check => check.name === name))
if (unknown !== undefined) {
  process.stderr.write(`Unknown check ${unknown}. Checks: ${checks.map(({ name }) => name).join(', ')}\n`)
  process.exit(2)
}

await prepareOrExit()
process.stdout.write('| check | measurement | result | goal | met |\n| --- | --- | --- | --- | --- |\n')
for (const check of checks.filter(({ name }) => names.length === 0 || names.includes(name))) {
  for (const { name, value, goal, isMet, isTimed = false } of await check.run(isShort)) {
    process.stdout.write(`| ${check.name} | ${name} | ${value} | ${goal} | ${isMet ? 'yes' : 'no'} |\n`)
    if (!isMet && !(isShort && isTimed)) process.exitCode = 1
  }
}
