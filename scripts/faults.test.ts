import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { root } from './prepare/root.mjs'

/** Only a long soak shows anything. */
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

t.test('the short form of the fault tests finds no lost events and no failures', async t => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import=tsx', 'scripts/faults.ts', '--short', ...checks],
    { cwd: root },
  )
  for (const row of [
    /^\| overload \| responses to 50 searchers other than 200 and 503 \| 0 .* yes \|$/m,
    /^\| overload \| failed home pages of another visitor \| 0 .* yes \|$/m,
    /^\| bodies \| 20 bodies of .* lines \| .* yes \|$/m,
    /^\| bodies \| 20 bodies of .* one array \| .* yes \|$/m,
    /^\| event-loop \| longest turn of the event loop, 4 × lines \| .* \(200, 200, 200, 200\) /m,
    /^\| readers \| status for another client, .* \| 200 .* yes \|$/m,
    /^\| kills \| lost of [1-9]\d* acknowledged events, number of kills: 1 \| 0 .* yes \|$/m,
    /^\| kills \| events stored more than once \| 0 .* yes \|$/m,
    /^\| kill-points \| batch: 1 kills \| nothing lost .* yes \|$/m,
    /^\| kill-points \| retention: 1 kills \| nothing lost .* yes \|$/m,
    /^\| kill-points \| late source maps: 1 kills \| nothing lost .* yes \|$/m,
    /^\| stalled-disk \| (lost or repeated of .* acknowledged events, .* \| 0;|skipped) .* yes \|$/m,
    /^\| clock \| events of 80 that are lost or stored twice \| 0 .* yes \|$/m,
    /^\| clock \| failed pages \| 0 .* yes \|$/m,
    /^\| files \| after .* \| works again .* yes \|$/m,
    /^\| files \| acknowledged events that are lost \| 0 .* yes \|$/m,
  ]) {
    t.match(stdout, row)
  }
})
