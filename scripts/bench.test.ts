import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { root } from './prepare/root.mjs'

t.test('the benchmark prints a result for each measurement', async t => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/bench.mjs', '--short'], {
    cwd: root,
  })
  t.match(stdout, /Dashboard with [1-9]\d{2,} elements and [1-9]\d{3,} characters/)
  t.match(stdout, /While one view was requested: \d+ events stored per second, \d+ renders per second/)
  t.match(stdout, /Startup time with this store, until \/readyz responds: \d+ ms/)
  for (const row of [
    'minimal Fastify, prepared buffer',
    'Sixpane, cached page',
    'Sixpane, one view, invalidated by every commit',
    'Sixpane, a different view in each request',
    'Sixpane, a different view in each request, uncompressed',
    'Sixpane, /ingest',
    '/',
    '/activities?range=7d',
    '/development?digest=1000000007',
  ]) {
    const line = stdout.split('\n').find(each => each.startsWith(`${row} `))
    // On a busy machine, a result may be 0.
    t.match(line, / [\d,]+ {3}\([\d,]+ to [\d,]+\)$/, row)
  }
})
