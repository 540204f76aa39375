// @ts-check
/**
 * Runs the files with property tests several times, each time with a different seed.
 *
 *   npm run test:fuzz         5 times
 *   npm run test:fuzz -- 50   50 times
 *
 * Repeat a failed run with `PROPERTY_SEED=… npm test -- FILE`.
 */
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare/root.mjs'
import { run } from './prepare/run.mjs'
import { findTestFiles } from './test/groups.mjs'

const rounds = Number(process.argv[2] ?? 5)
const files = findTestFiles().filter(file => readFileSync(join(root, file), 'utf8').includes("'fast-check'"))

for (let round = 1; round <= rounds; round += 1) {
  const seed = String(randomInt(2 ** 31))
  console.log(`Round ${round} of ${rounds}, PROPERTY_SEED=${seed}`)
  const env = { ...process.env, PROPERTY_SEED: seed }
  const { code } = await run(process.execPath, ['scripts/test.mjs', ...files], { env, inherit: true })
  if (code !== 0) process.exitCode = 1
}
