import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { causeOf } from '../../../shared/cause-of.ts'
import { paths } from '../../../shared/paths.ts'

/** The upload failed; `message` gives the reason. */
export class UploadError extends Error {
  override name = 'UploadError'
  constructor(
    message: string,
    /** Whether all other uploads would also fail. */
    readonly isFatal: boolean,
  ) {
    super(message)
  }
}

export type Destination = { url: string; headers: Readonly<Record<string, string>> }
export type Upload = {
  release: string
  service: string | null
  path: string
  debugId: string | null
  json: string
}

const maxAttempts = 5

/**
 * Uploads one map. Retries temporary errors, and respects `Retry-After`.
 * @param initialDelayMs delay before the first retry; doubled for each subsequent retry
 * @throws UploadError
 */
export async function uploadMap(
  { url, headers }: Destination,
  upload: Upload,
  initialDelayMs = 500,
  timeoutMs = 60_000,
): Promise<void> {
  const target = new URL(paths.sourceMaps(), url)
  target.searchParams.set('release', upload.release)
  target.searchParams.set('path', upload.path)
  if (upload.service !== null) target.searchParams.set('service', upload.service)
  if (upload.debugId !== null) target.searchParams.set('debug_id', upload.debugId)
  const body = await promisify(gzip)(upload.json)

  for (let attempt = 1; ; attempt++) {
    const problem = await put(target, { ...headers }, body, timeoutMs)
    if (problem === null) return
    if (!problem.isRetryable || attempt === maxAttempts)
      throw new UploadError(problem.message, problem.isFatal)
    await sleep(problem.retryAfterMs ?? initialDelayMs * 2 ** (attempt - 1))
  }
}

type Problem = { message: string; isRetryable: boolean; isFatal: boolean; retryAfterMs: number | null }

async function put(
  target: URL,
  headers: Record<string, string>,
  body: Buffer,
  timeoutMs: number,
): Promise<Problem | null> {
  try {
    const response = await fetch(target, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: new Uint8Array(body),
      // A redirect often leads to a login page that responds with status 200.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await response.text()
    if (response.ok) return fieldIn(text, 'id') === null ? notSixpane(target) : null
    const retryAfterSeconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    return {
      message: explain(response.status, text),
      isRetryable: response.status === 429 || response.status >= 500,
      // Other statuses affect all uploads. Retrying each of hundreds of maps would delay the build by an hour.
      isFatal: ![400, 408, 413, 422, 500].includes(response.status),
      retryAfterMs: Number.isFinite(retryAfterSeconds) ? Math.min(retryAfterSeconds, 30) * 1000 : null,
    }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    const message = isTimeout
      ? `the upload to ${target.origin} took longer than ${timeoutMs / 1000} seconds`
      : `can't reach Sixpane at ${target.origin} (${causeOf(error)}): start it, or set its address with --url or SIXPANE_URL`
    return { message, isRetryable: true, isFatal: true, retryAfterMs: null }
  }
}

function notSixpane({ origin }: URL): Problem {
  const message = `${origin} does not appear to be a Sixpane server: check the URL`
  return { message, isRetryable: false, isFatal: true, retryAfterMs: null }
}

function explain(status: number, text: string): string {
  const message = fieldIn(text, 'message')
  const reason = message === null ? `the server responded with status ${status}` : `${status}: ${message}`
  return status === 401 ? `${reason}. Set SIXPANE_TOKEN or SIXPANE_PASSWORD` : reason
}

function fieldIn(text: string, name: string): string | null {
  try {
    const value: unknown = Reflect.get(Object(JSON.parse(text)), name)
    return value === undefined ? null : String(value)
  } catch {
    // A proxy may respond in another format.
    return null
  }
}
