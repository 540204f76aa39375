import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { root } from './prepare/root.mjs'

t.test('the benchmark runs, and prints a figure for everything that it measures', async t => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/bench.mjs', '--short'], {
    cwd: root,
  })
  t.match(stdout, /The dashboard, [1-9]\d{2,} elements, [1-9]\d{3,} characters/)
  t.match(stdout, /While one view was asked for: \d+ events written a second, \d+ renders a second/)
  t.match(stdout, /Start on that store until \/readyz: \d+ ms/)
  for (const row of [
    'bare Fastify, ready buffer',
    'Sixpane, unchanged',
    'Sixpane, rendered anew at every commit, one view',
    'Sixpane, rendered anew, each visitor another view',
    'Sixpane, the same, not encoded',
    'Sixpane, /ingest',
    '/',
    '/activities?range=7d',
    '/development?digest=1000000007',
  ]) {
    const line = stdout.split('\n').find(each => each.startsWith(`${row} `))
    // On a busy machine a figure may be 0.
    t.match(line, / [\d,]+ {3}\([\d,]+ to [\d,]+\)$/, row)
  }
})
