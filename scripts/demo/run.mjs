// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'
import { createHistory } from './history.mjs'
import { createShipper, UnavailableError } from './shipper.mjs'
import { openShop } from './shop.mjs'
import { kindOf, kinds, visit } from './visits.mjs'

/** Visits per second. */
const rate = 2

/**
 * Runs the shop for the given time or until Ctrl+C, and prints the digests that visitors saw.
 * @param {import('./shipper.mjs').Destination & { minutes: number, historyMinutes: number, once: boolean }} options
 * @returns {Promise<number>} the exit code
 */
export async function runDemo({ url, token, password, minutes, historyMinutes, once: isOnce }) {
  const shipper = createShipper({ url, token, password })
  try {
    await shipper.check()
  } catch (error) {
    print(error instanceof UnavailableError ? error.message : String(error))
    return 1
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

  /** Receives the log lines of the shop. @type {(line: string) => void} */
  let write = shipper.write
  const shop = await openShop({ write: line => write(line) })
  try {
    if (historyMinutes > 0) {
      const history = createHistory()
      write = history.write
      await Promise.all(kinds.map(kind => visit(shop.url, kind)))
      const lines = history.lines({ untilMs: Date.now(), minutes: historyMinutes, rate })
      write = shipper.write
      for (const line of lines) {
        if (stop.signal.aborted) break
        await shipper.writeWhenRoom(line)
      }
      await shipper.flush()
      if (!stop.signal.aborted && shipper.counts.dropped === 0)
        print(`Sent ${historyMinutes} minutes of the shop's history to ${url}`)
    }
    if (isOnce) for (const kind of new Set(kinds)) await visitAndReport(shop.url, kind, url)
    else await receiveVisitors()
  } finally {
    await shop.close()
    await shipper.flush()
  }
  const { sent, dropped } = shipper.counts
  print(
    `The shop is closed. Sixpane stored ${sent} lines${dropped === 0 ? '' : `, and ${dropped} were dropped`}`,
  )
  return 0

  async function receiveVisitors() {
    print(`The shop is open for ${minutes} minutes with ${rate} visits per second. Press Ctrl+C to close it.`)
    const visits = []
    const untilMs = performance.now() + minutes * 60_000
    for (let number = 0; performance.now() < untilMs && !stop.signal.aborted; number++) {
      visits.push(visitAndReport(shop.url, kindOf(number), url))
      // Ctrl+C ends the wait early, which is not an error.
      await sleep(1000 / rate, undefined, { signal: stop.signal }).catch(() => {})
    }
    await Promise.all(visits)
  }
}

/** Kinds of visits whose failure was already printed. @type {Set<string>} */
const reported = new Set()

/** @param {string} shopUrl @param {import('./visits.mjs').Kind} kind @param {string} url */
async function visitAndReport(shopUrl, kind, url) {
  const digest = await visit(shopUrl, kind)
  if (digest === null || reported.has(kind)) return
  reported.add(kind)
  print(`A visitor saw "Application error", Digest: ${digest}. Paste it into the search box on ${url}`)
}

/** @param {string} line */
function print(line) {
  process.stderr.write(`${line}\n`)
}
