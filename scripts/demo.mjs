// @ts-check
/**
 * `npm run demo`: a small shop whose three services fail now and then, under visitors that come by themselves,
 * sends its lines to a running Sixpane.
 */
import './prepare/node.mjs'
import { parseArgs } from 'node:util'
import { stopWithShell } from './prepare/shell.mjs'
import { prepareOrExit } from './prepare.mjs'

const help = `npm run demo -- [options]
  --url URL          Sixpane's address (http://127.0.0.1:3000); its password is read from SIXPANE_PASSWORD
  --minutes N        how long visitors come, at most 1440 (10)
  --history N        how many minutes before now are filled too, at most 1440 (60)
  --once             a visit of each kind, and the end: for tests
`

const options = readOptions(process.argv.slice(2))
if (options === null) {
  process.stderr.write(help)
  process.exitCode = 1
} else {
  stopWithShell()
  await prepareOrExit(undefined, { builds: false })
  // Only now: it imports what may just have been installed.
  const { runDemo } = await import('./demo/run.mjs')
  process.exitCode = await runDemo({ ...options, password: process.env.SIXPANE_PASSWORD })
}

/** @param {string[]} args @returns the options, or `null` where one makes no sense */
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
    const isSensible = (/** @type {number} */ each) => each >= 0 && each <= 1440
    if (!URL.canParse(url) || !isSensible(minutes) || !isSensible(historyMinutes)) return null
    return { url, once, minutes, historyMinutes }
  } catch {
    return null
  }
}
