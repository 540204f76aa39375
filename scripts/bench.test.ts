import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { metrics } from './bench/metrics.ts'
import type { Row } from './bench/rows.ts'
import { root } from './prepare/root.mjs'

t.test('the benchmark prints a row for each metric', async t => {
  const args = ['--import=tsx', 'scripts/bench.ts', '--short', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root })
  const { rows }: { rows: Row[] } = JSON.parse(stdout)
  // Rows for ClickHouse need chDB, and rows for the largest store need `LARGEST_EVENTS`, so this run has neither.
  const expected = Object.entries(metrics).filter(
    ([id]) => !id.endsWith('Largest') && !id.startsWith('clickHouse'),
  )
  t.same(
    rows.map(({ metric }) => metric),
    expected.map(([, { title }]) => title),
  )
  for (const { metric, value } of rows) t.ok(Number.isFinite(value), metric)
})

t.test('the benchmark rejects an unknown part', async t => {
  const args = ['--import=tsx', 'scripts/bench.ts', 'unknown']
  await t.rejects(promisify(execFile)(process.execPath, args, { cwd: root }), {
    code: 2,
    stderr: /Unknown part unknown. Parts: pages, render/,
  })
})
