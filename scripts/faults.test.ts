import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { root } from './prepare/root.mjs'

/**
 * All checks except `soak`, which needs a long run, `sentry`, which installs the SDK, and `replicas`, which needs ClickHouse.
 */
const checks = [
  'overload',
  'bodies',
  'event-loop',
  'readers',
  'kills',
  'kill-points',
  'stalled-disk',
  'clock',
  'files',
]

t.test('the short fault tests find no lost events and no failures', async t => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import=tsx', 'scripts/faults.ts', '--short', ...checks],
    { cwd: root },
  )
  for (const row of [
    /^\| overload \| search responses with a status other than 200 or 503 \| 0 .* yes \|$/m,
    /^\| overload \| failed home page loads for another visitor \| 0 .* yes \|$/m,
    /^\| bodies \| 20 bodies of .* lines \| .* yes \|$/m,
    /^\| bodies \| 20 bodies of .* one array \| .* yes \|$/m,
    /^\| event-loop \| longest turn of the event loop, 4 × lines \| .* \(200, 200, 200, 200\) /m,
    /^\| readers \| status for another client while .* \| 200 .* yes \|$/m,
    /^\| kills \| acknowledged events lost, of [1-9]\d*, after 1 kills \| 0 .* yes \|$/m,
    /^\| kills \| events stored more than once \| 0 .* yes \|$/m,
    /^\| kill-points \| batch: 1 kills \| nothing lost .* yes \|$/m,
    /^\| kill-points \| retention: 1 kills \| nothing lost .* yes \|$/m,
    /^\| kill-points \| late source maps: 1 kills \| nothing lost .* yes \|$/m,
    /^\| stalled-disk \| (events lost or repeated, of .* acknowledged, .* \| 0;|skipped) .* yes \|$/m,
    /^\| clock \| events lost or stored twice, of 80 \| 0 .* yes \|$/m,
    /^\| clock \| failed pages \| 0 .* yes \|$/m,
    /^\| files \| after .* \| works again .* yes \|$/m,
    /^\| files \| acknowledged events lost \| 0 .* yes \|$/m,
  ]) {
    t.match(stdout, row)
  }
})
