import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { causeOf } from '../../shared/cause-of.ts'
import { paths } from '../../shared/paths.ts'
import { destinationProblem } from './destination.ts'
import { originalFetch } from './original-fetch.ts'
import { parseRetryAfter } from './retry-after.ts'

/** Sixpane's URL and the credentials. */
export type Destination = {
  /** `http://127.0.0.1:3000` */
  url: string
  /** A token from the settings screen, needed if Sixpane requires sign-in. */
  token?: string | undefined
  /** Sixpane's password, used instead of a token. */
  password?: string | undefined
  /** The client that sends the lines, unless the service sends them itself. */
  source?: 'stdin'
}

/** A batch. Every attempt sends the same bytes with the same key, so that Sixpane stores the batch once. */
export type Body = { key: string; bytes: Uint8Array<ArrayBuffer>; isGzip: boolean }

/** The result of an attempt. `reason` is a message for the service's operator, with a hint if possible. */
export type Outcome =
  | { status: 'stored'; rejected: number; reason: string }
  /** A temporary failure: retry after at least `retryAfterMs`. Give up after `maxAttempts` such failures. */
  | { status: 'failed'; retryAfterMs: number; maxAttempts: number; reason: string }
  | { status: 'too large'; reason: string }
  /** A permanent failure: a retry would be rejected too. */
  | { status: 'rejected'; reason: string }

/** Posts a batch. If the signal aborts, the attempt fails with the signal's reason. */
export type Post = (body: Body, signal: AbortSignal) => Promise<Outcome>

const maxResponseBytes = 64 * 1024
/** Smaller bodies are not compressed, because they fit into one or two packets anyway. */
const gzipAboveBytes = 1024

/** Creates the body of a batch, compressed if it is large. */
export async function createBody(key: string, lines: readonly string[]): Promise<Body> {
  const plain = Buffer.from(`${lines.join('\n')}\n`)
  // The lowest level saves CPU time in the service, and still compresses log lines to a tenth of their size.
  const compressed =
    plain.length > gzipAboveBytes ? await promisify(gzip)(plain, { level: 1 }).catch(() => null) : null
  return { key, bytes: compressed ?? plain, isGzip: compressed !== null }
}

/**
 * Creates a function that posts batches to `POST /ingest`. It never throws. If the destination is invalid, the outcome of every
 * batch is `rejected`.
 */
export function createPost(destination: Destination): Post {
  const target = targetOf(destination)
  if ('reason' in target) return async () => ({ status: 'rejected', reason: target.reason })
  const { url, headers } = target

  return async ({ key, bytes, isGzip }, signal) => {
    try {
      const response = await originalFetch()(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/x-ndjson',
          'idempotency-key': key,
          ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
        },
        body: bytes,
        // Following a redirect would send a GET, often to a login page that responds with status 200.
        redirect: 'manual',
        signal,
      })
      return outcomeOf(response, await textOf(response), url.origin)
    } catch (error) {
      const reason = `${url.origin} is unreachable (${causeOf(error)})`
      return { status: 'failed', retryAfterMs: 0, maxAttempts: Number.POSITIVE_INFINITY, reason }
    }
  }
}

type Target = { url: URL; headers: Record<string, string> }

function targetOf({ url: base, token, password, source }: Destination): Target | { reason: string } {
  const reason = destinationProblem(base, token)
  if (reason !== null) return { reason }
  const basic = () => Buffer.from(`:${password}`).toString('base64')
  const authorization =
    token !== undefined ? `Bearer ${token}` : password !== undefined ? `Basic ${basic()}` : undefined
  return {
    url: new URL(paths.ingest(source === undefined ? {} : { source }), base),
    headers: authorization === undefined ? {} : { authorization },
  }
}

function outcomeOf({ status, headers }: Response, text: string, origin: string): Outcome {
  const parsed = parseJson(text)
  const prefix = `${origin} responded with status ${status}`
  const message = typeof parsed.message === 'string' ? parsed.message.slice(0, 300) : ''
  const reason = message === '' ? prefix : `${prefix}: ${message}`
  if (status >= 200 && status < 300) {
    const { accepted, rejected, errors } = parsed
    if (typeof accepted !== 'number' || typeof rejected !== 'number')
      return { status: 'rejected', reason: `${origin} does not appear to be a Sixpane server: check the URL` }
    return { status: 'stored', rejected, reason: firstReason(errors) }
  }
  if (status === 413) return { status: 'too large', reason }
  if (status === 408 || status === 429 || status >= 500)
    return {
      status: 'failed',
      retryAfterMs: parseRetryAfter(headers),
      // This batch may itself cause the error, so it must not block later batches forever.
      maxAttempts: status === 500 ? 10 : Number.POSITIVE_INFINITY,
      reason,
    }
  if (status === 401 || status === 403)
    return { status: 'rejected', reason: `${reason}. Set a token created on Sixpane's settings screen` }
  return { status: 'rejected', reason }
}

function firstReason(errors: unknown): string {
  const first: unknown = Array.isArray(errors) ? errors[0] : null
  return typeof first === 'object' && first !== null && 'reason' in first ? String(first.reason) : ''
}

function parseJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/**
 * Reads the whole response, so that the connection can be reused. Gives up if the response is longer than any from Sixpane.
 */
async function textOf({ body }: Response): Promise<string> {
  if (body === null) return ''
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > maxResponseBytes) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
