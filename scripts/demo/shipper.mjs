// @ts-check
import { setTimeout as sleep } from 'node:timers/promises'

/** Thrown if Sixpane is unreachable, rejects the credentials or does not accept lines. The message explains what to do. */
export class UnavailableError extends Error {
  /** @override */
  name = 'UnavailableError'
}

/** Maximum number of waiting lines. Beyond it, the oldest ones are dropped. */
const maxWaitingLines = 20_000
const batchLines = 2_000
const batchDelayMs = 200

/**
 * The token takes precedence over the password.
 * @typedef {{ url: string, token: string | undefined, password: string | undefined }} Destination
 */

/**
 * Sends lines to Sixpane's `/ingest`, one batch at a time. Retries a failed batch after the delay in `Retry-After`.
 * @param {Destination} destination
 */
export function createShipper({ url, token, password }) {
  const authorization = token
    ? `Bearer ${token}`
    : password && `Basic ${Buffer.from(`demo:${password}`).toString('base64')}`
  const headers = {
    'content-type': 'application/x-ndjson',
    ...(authorization && { authorization }),
  }
  const counts = { sent: 0, dropped: 0 }
  /** @type {string[]} */
  let waiting = []
  /** @type {Promise<void> | null} */
  let sending = null

  return {
    counts,
    /** @throws {UnavailableError} */
    async check() {
      const response = await post('')
      if (response === null) {
        throw new UnavailableError(
          `Sixpane is not running at ${url}: run npm start in another terminal, or set --url`,
        )
      }
      if (response.status === 401 || response.status === 403) {
        throw new UnavailableError(
          `Sixpane at ${url} requires sign-in: set SIXPANE_TOKEN to a token that can send events, or SIXPANE_PASSWORD`,
        )
      }
      if (!response.isAccepted)
        throw new UnavailableError(`${url} does not accept the lines (status ${response.status}): set --url`)
    },
    /** @param {string} line */
    write(line) {
      waiting.push(line)
      if (waiting.length > maxWaitingLines) {
        waiting.shift()
        counts.dropped += 1
      }
      sending ??= sleep(batchDelayMs).then(send)
    },
    /** @param {string} line */
    async writeWhenRoom(line) {
      if (waiting.length >= batchLines) await this.flush()
      this.write(line)
    },
    /** Resolves when all waiting lines are stored or dropped. */
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

  /** @param {string} body @returns {Promise<boolean>} whether it was stored */
  async function sendBatch(body) {
    for (let attempts = 0; attempts < 10; attempts++) {
      const response = await post(body)
      if (response?.isAccepted) return true
      if (response !== null && response.status !== 429 && response.status !== 503) return false
      await sleep(Math.min(Number(response?.retryAfter ?? 1) * 1000, 10_000))
    }
    return false
  }

  /**
   * Returns `null` if there is no response.
   * @param {string} body
   */
  async function post(body) {
    try {
      const response = await fetch(new URL('/ingest', url), { method: 'POST', headers, body })
      const text = await response.text()
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        // Another server on this port could also respond with a success status.
        isAccepted: response.ok && /"accepted":\d/.test(text),
      }
    } catch {
      return null
    }
  }
}
