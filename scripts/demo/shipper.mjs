// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'

/** Sixpane is not there, or does not take the lines: `message` says what to do. */
export class RefusedError extends Error {
  /** @override */
  name = 'RefusedError'
}

/** Lines that may wait: the oldest are dropped above this. */
const mostWaiting = 20_000
const batchLines = 2_000
const gatherMs = 200

/**
 * Sends lines to Sixpane's `/ingest` in batches, one at a time. A batch that was not taken is sent again, after
 * as long as the answer asks for.
 * @param {{ url: string, password: string | undefined }} options
 */
export function createShipper({ url, password }) {
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(password && { authorization: `Basic ${Buffer.from(`demo:${password}`).toString('base64')}` }),
  }
  const counts = { sent: 0, dropped: 0 }
  /** @type {string[]} */
  let waiting = []
  /** @type {Promise<void> | null} */
  let sending = null

  return {
    counts,
    /** @throws {RefusedError} */
    async check() {
      const answer = await post('')
      if (answer === null) {
        throw new RefusedError(
          `No Sixpane answers at ${url}: start one with npm start in another terminal, or name it with --url`,
        )
      }
      if (answer.status === 401)
        throw new RefusedError(`Sixpane at ${url} asks for its password: set SIXPANE_PASSWORD`)
    },
    /** @param {string} line */
    write(line) {
      waiting.push(line)
      if (waiting.length > mostWaiting) {
        waiting.shift()
        counts.dropped += 1
      }
      sending ??= sleep(gatherMs).then(send)
    },
    /** @param {string} line */
    async writeWhenRoom(line) {
      if (waiting.length >= batchLines) await this.flush()
      this.write(line)
    },
    /** Resolves once everything that was written until now is durable, or has been given up. */
    async flush() {
      while (sending !== null) await sending
    },
  }

  async function send() {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchLines)
      waiting = waiting.slice(batchLines)
      if (await sendBatch(batch.join(''))) counts.sent += batch.length
      else counts.dropped += batch.length
    }
    sending = null
  }

  /** @param {string} body @returns {Promise<boolean>} whether it was kept */
  async function sendBatch(body) {
    for (let tries = 0; tries < 10; tries++) {
      const answer = await post(body)
      if (answer?.ok) return true
      if (answer !== null && answer.status !== 429 && answer.status !== 503) return false
      await sleep(Math.min(Number(answer?.headers.get('retry-after') ?? 1) * 1000, 10_000))
    }
    return false
  }

  /** @param {string} body @returns {Promise<Response | null>} `null` where nobody answers */
  async function post(body) {
    try {
      const answer = await fetch(new URL('/ingest', url), { method: 'POST', headers, body })
      await answer.arrayBuffer()
      return answer
    } catch {
      return null
    }
  }
}
