// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'
import { createHistory } from './history.mjs'
import { createShipper, RefusedError } from './shipper.mjs'
import { openShop } from './shop.mjs'
import { kindOf, kinds, visit } from './visits.mjs'

/** Visits a second. */
const rate = 2

/**
 * Runs the shop until its time is over or Ctrl-C, and tells on the terminal what a visitor saw.
 * @param {{ url: string, password: string | undefined, minutes: number, historyMinutes: number, once: boolean }} options
 * @returns {Promise<number>} the exit code
 */
export async function runDemo({ url, password, minutes, historyMinutes, once: isOnce }) {
  const shipper = createShipper({ url, password })
  try {
    await shipper.check()
  } catch (error) {
    tell(error instanceof RefusedError ? error.message : String(error))
    return 1
  }
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop.abort())

  /** Where the lines of the shop go. @type {(line: string) => void} */
  let write = shipper.write
  const shop = await openShop({ write: line => write(line) })
  try {
    if (historyMinutes > 0) {
      const history = createHistory()
      write = history.write
      await Promise.all(kinds.map(kind => visit(shop.url, kind)))
      const lines = history.lines({ untilMs: Date.now(), minutes: historyMinutes, rate })
      write = shipper.write
      for (const line of lines) await shipper.writeWhenRoom(line)
      await shipper.flush()
      tell(`The last ${historyMinutes} minutes of the shop are in: ${url}`)
    }
    if (isOnce) for (const kind of new Set(kinds)) await visitAndTell(shop.url, kind, url)
    else await receiveVisitors()
  } finally {
    await shop.close()
    await shipper.flush()
  }
  const { sent, dropped } = shipper.counts
  tell(`The shop has closed: ${sent} lines sent${dropped === 0 ? '' : `, ${dropped} dropped`}`)
  return 0

  async function receiveVisitors() {
    tell(`The shop is open for ${minutes} minutes, ${rate} visits a second; Ctrl-C closes it.`)
    const visits = []
    const untilMs = performance.now() + minutes * 60_000
    for (let number = 0; performance.now() < untilMs && !stop.signal.aborted; number++) {
      visits.push(visitAndTell(shop.url, kindOf(number), url))
      // A stop ends the wait, and nothing else.
      await sleep(1000 / rate, undefined, { signal: stop.signal }).catch(() => {})
    }
    await Promise.all(visits)
  }
}

/** Kinds of visits whose failure has been told of: once is enough. @type {Set<string>} */
const told = new Set()

/** @param {string} shopUrl @param {import('./visits.mjs').Kind} kind @param {string} url */
async function visitAndTell(shopUrl, kind, url) {
  const digest = await visit(shopUrl, kind)
  if (digest === null || told.has(kind)) return
  told.add(kind)
  tell(`A visitor saw "Application error", Digest: ${digest}. Paste it in the box on ${url}`)
}

/** @param {string} line */
function tell(line) {
  process.stderr.write(`${line}\n`)
}
