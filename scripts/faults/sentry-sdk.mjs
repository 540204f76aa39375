// @ts-check
// Sends exceptions with Sentry's SDK for Node.js as fast as the SDK accepts them. Prints the number of each captured exception,
// and the id of each event that the SDK considers delivered.
//
//   node sentry-sdk.mjs FOLDER_OF_THE_SDK DSN COUNT
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [, , folder = '', dsn, count = '0'] = process.argv
const Sentry = createRequire(join(folder, 'index.js'))('@sentry/node')

/** Below the SDK's limit of 64 pending requests, above which it drops events. */
const maxRequests = 40
/** Integrations that slow the SDK by reading files or local variables, or that drop repeated exceptions. */
const omitted = ['Dedupe', 'ContextLines', 'LocalVariablesAsync']

let requests = 0
/** @type {() => void} */
let resume = () => {}

/** @param {{ name: string }[]} integrations */
const withoutOmitted = integrations => integrations.filter(({ name }) => !omitted.includes(name))
Sentry.init({ dsn, integrations: withoutOmitted, maxBreadcrumbs: 0 })
Sentry.getClient().on(
  'afterSendEvent',
  /**
   * @param {{ event_id: string }} event
   * @param {{ statusCode?: number }} response
   */
  (event, response) => {
    requests -= 1
    if (response.statusCode === 200) print({ delivered: event.event_id })
    resume()
  },
)
for (let index = 0; index < Number(count); index += 1) {
  requests += 1
  Sentry.captureException(new Error(`failure ${index}`))
  print({ captured: index + 1 })
  while (requests > maxRequests) await new Promise(resolve => (resume = () => resolve(undefined)))
}
await Sentry.close(10_000)

/** @param {object} line */
function print(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
