import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { paths } from '../../shared/paths.ts'

/** Where Sixpane is, and what opens it. */
export type Destination = {
  /** `http://127.0.0.1:3000` */
  url: string
  /** Of a Sixpane that asks for one: made on its settings. */
  token?: string | undefined
  /** In place of a token, the password itself. */
  password?: string | undefined
  /** What read the lines, where that was not the service itself. */
  source?: 'stdin'
}

/** A batch, the same to the byte at each try: that and its key tell Sixpane that it is one. */
export type Body = { key: string; bytes: Uint8Array<ArrayBuffer>; isGzip: boolean }

/** What came of one try. `reason` is for the operator of the service, and says what to do where that is known. */
export type Outcome =
  | { is: 'kept'; rejected: number; reason: string }
  /** Nothing of it is known to be kept: to be tried again after `afterMs` at least, and so often at most. */
  | { is: 'failed'; afterMs: number; mostTries: number; reason: string }
  | { is: 'too large'; reason: string }
  /** It would be refused again. */
  | { is: 'refused'; reason: string }

/** Posts a batch; with the signal it gives up, and the signal's reason is what went wrong. */
export type Post = (body: Body, signal: AbortSignal) => Promise<Outcome>

const mostAnswerBytes = 64 * 1024
/** What is smaller fits into a packet or two anyway. */
const gzipAboveBytes = 1024

/** The body of a batch of lines. */
export async function bodyOf(key: string, lines: readonly string[]): Promise<Body> {
  const plain = Buffer.from(`${lines.join('\n')}\n`)
  // The lowest level: lines of a log shrink to a tenth by it, and a service has better things to do.
  const packed =
    plain.length > gzipAboveBytes ? await promisify(gzip)(plain, { level: 1 }).catch(() => null) : null
  return { key, bytes: packed ?? plain, isGzip: packed !== null }
}

/** Gives what posts batches to `POST /ingest`. It never throws: what is wrong with the destination is a refusal. */
export function createPost(destination: Destination): Post {
  const target = targetOf(destination)
  if ('reason' in target) return async () => ({ is: 'refused', reason: target.reason })
  const { url, headers } = target

  return async ({ key, bytes, isGzip }, signal) => {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          ...headers,
          'content-type': 'application/x-ndjson',
          'idempotency-key': key,
          ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
        },
        body: bytes,
        // One that was followed would end as a GET, often of a page to sign in on, with status 200.
        redirect: 'manual',
        signal,
      })
      return outcomeOf(answer, await textOf(answer), url.origin)
    } catch (error) {
      const reason = `${url.origin} can't be reached (${codeOf(error)})`
      return { is: 'failed', afterMs: 0, mostTries: Number.POSITIVE_INFINITY, reason }
    }
  }
}

const noUrl = { protocol: '', username: '', password: '' }

type Target = { url: URL; headers: Record<string, string> }

function targetOf({ url: base, token, password, source }: Destination): Target | { reason: string } {
  const { protocol, username, password: inUrl } = URL.canParse(base) ? new URL(base) : noUrl
  if (!/^https?:$/.test(protocol) || username !== '' || inUrl !== '')
    return { reason: 'its url must be like http://127.0.0.1:3000, without a name or password' }
  if (token !== undefined && !/^[\w.~+/-]+=*$/.test(token))
    return { reason: 'the token holds characters that none has: copy it anew from the settings of Sixpane' }
  const basic = () => Buffer.from(`:${password}`).toString('base64')
  const authorization =
    token !== undefined ? `Bearer ${token}` : password !== undefined ? `Basic ${basic()}` : undefined
  return {
    url: new URL(paths.ingest(source === undefined ? {} : { source }), base),
    headers: authorization === undefined ? {} : { authorization },
  }
}

function outcomeOf({ status, headers }: Response, text: string, origin: string): Outcome {
  const said = read(text)
  const answered = `${origin} answered with status ${status}`
  const words = typeof said.message === 'string' ? said.message.slice(0, 300) : ''
  const reason = words === '' ? answered : `${answered}: ${words}`
  if (status >= 200 && status < 300) {
    const { accepted, rejected, errors } = said
    if (typeof accepted !== 'number' || typeof rejected !== 'number')
      return { is: 'refused', reason: `${origin} does not answer as Sixpane does: look at the url` }
    return { is: 'kept', rejected, reason: firstReason(errors) }
  }
  if (status === 413) return { is: 'too large', reason }
  if (status === 408 || status === 429 || status >= 500)
    return {
      is: 'failed',
      afterMs: retryAfterMs(headers),
      // It may be this batch that the server breaks on: those that come after it must not wait for ever.
      mostTries: status === 500 ? 10 : Number.POSITIVE_INFINITY,
      reason,
    }
  if (status === 401 || status === 403)
    return { is: 'refused', reason: `${reason}. Give it a token, made on the settings of Sixpane` }
  return { is: 'refused', reason }
}

function firstReason(errors: unknown): string {
  const first: unknown = Array.isArray(errors) ? errors[0] : null
  return typeof first === 'object' && first !== null && 'reason' in first ? String(first.reason) : ''
}

/** https://www.rfc-editor.org/rfc/rfc9110#field.retry-after: seconds, or a date. */
function retryAfterMs(headers: Headers): number {
  const text = headers.get('retry-after') ?? ''
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? 0 : Math.max(ms, 0)
}

function read(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** The whole answer, so that its connection can be used again, unless it is far longer than any of Sixpane's. */
async function textOf({ body }: Response): Promise<string> {
  if (body === null) return ''
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of body) {
    sizeBytes += chunk.length
    if (sizeBytes > mostAnswerBytes) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return 'code' in cause ? String(cause.code) : cause.message
}
