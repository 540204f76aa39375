// @ts-check
/**
 * `npm run demo`: runs a small shop with three services, simulated visitors and occasional failures, and sends its log to a
 * running Sixpane server.
 */
import './prepare/node.mjs'
import { parseArgs } from 'node:util'
import { stopWithShell } from './prepare/shell.mjs'
import { prepareOrExit } from './prepare.mjs'

const help = `npm run demo -- [options]
  --url URL          Sixpane's URL; default: http://127.0.0.1:3000. If it requires sign-in,
                     set SIXPANE_TOKEN or SIXPANE_PASSWORD
  --minutes N        how long the shop is open, at most 1440; default: 10
  --history N        how many past minutes to fill with events, at most 1440; default: 60
  --once             make only one visit of each kind, without a history, for tests
`

const options = readOptions(process.argv.slice(2))
if (options === null) {
  process.stderr.write(help)
  process.exitCode = 1
} else {
  stopWithShell()
  await prepareOrExit(undefined, { packageSet: 'server', builds: false })
  // A dynamic import, because the packages that the demo needs may only just have been installed.
  const { runDemo } = await import('./demo/run.mjs')
  const { SIXPANE_TOKEN: token, SIXPANE_PASSWORD: password } = process.env
  process.exitCode = await runDemo({ ...options, token, password })
}

/** @param {string[]} args @returns the options, or `null` if one is invalid */
function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        url: { type: 'string', default: 'http://127.0.0.1:3000' },
        minutes: { type: 'string', default: '10' },
        history: { type: 'string', default: '60' },
        once: { type: 'boolean', default: false },
      },
    })
    const { url, once } = values
    const [minutes, historyMinutes] = [Number(values.minutes), once ? 0 : Number(values.history)]
    const isInRange = (/** @type {number} */ each) => each >= 0 && each <= 1440
    // localhost:3000 is also a URL, with the protocol localhost.
    if (!/^https?:$/.test(new URL(url).protocol) || !isInRange(minutes) || !isInRange(historyMinutes))
      return null
    return { url, once, minutes, historyMinutes }
  } catch {
    return null
  }
}
