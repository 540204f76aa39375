/**
 * Tests a real server under faults and load, and prints a table of results. Exits with code 1 if a goal is missed.
 *
 *   npm run test:faults                    all checks in their long form (about half an hour)
 *   npm run test:faults -- kills overload  only these checks
 *   npm run test:faults -- --short         a few seconds each; durations and rates are printed, but may miss their goals
 */
import type { Check } from './faults/check.ts'
import { prepareOrExit } from './prepare.mjs'

/** Each check's modules are loaded only when the check runs, because some import an entire store engine. */
const checks: Record<string, () => Promise<Check>> = {
  overload: async () => (await import('./faults/overload.ts')).overload,
  bodies: async () => (await import('./faults/bodies.ts')).bodies,
  'event-loop': async () => (await import('./faults/event-loop.ts')).eventLoop,
  readers: async () => (await import('./faults/readers.ts')).readers,
  kills: async () => (await import('./faults/kills.ts')).kills,
  'kill-points': async () => (await import('./faults/kill-points.ts')).killPoints,
  sentry: async () => (await import('./faults/sentry.ts')).sentry,
  'stalled-disk': async () => (await import('./faults/stalled-disk.ts')).stalledDisk,
  clock: async () => (await import('./faults/clock.ts')).clock,
  files: async () => (await import('./faults/files.ts')).files,
  replicas: async () => (await import('./faults/replicas.ts')).replicas,
  soak: async () => (await import('./faults/soak.ts')).soak,
}
const args = process.argv.slice(2)
const isShort = args.includes('--short')
const names = args.filter(arg => arg !== '--short')
const unknown = names.find(name => !Object.hasOwn(checks, name))
if (unknown !== undefined) {
  process.stderr.write(`Unknown check ${unknown}. Checks: ${Object.keys(checks).join(', ')}\n`)
  process.exit(2)
}

await prepareOrExit()
process.stdout.write('| check | measurement | result | goal | met |\n| --- | --- | --- | --- | --- |\n')
for (const [check, load] of Object.entries(checks)) {
  if (names.length > 0 && !names.includes(check)) continue
  const { run } = await load()
  for (const { name, value, goal, isMet, isTimed = false } of await run(isShort)) {
    process.stdout.write(`| ${check} | ${name} | ${value} | ${goal} | ${isMet ? 'yes' : 'no'} |\n`)
    if (!isMet && !(isShort && isTimed)) process.exitCode = 1
  }
}
