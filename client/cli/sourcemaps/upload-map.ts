import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { paths } from '../../../shared/paths.ts'

/** The server did not take it: `message` says why, or that nobody answers. */
export class UploadError extends Error {
  override name = 'UploadError'
  constructor(
    message: string,
    /** No other map would be taken either. */
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
const timeoutMs = 60_000

/**
 * Puts one map; attempt again where that may help, after as long as the answer asks for.
 * @param waitMs before the second try; each further wait is twice as long
 * @throws UploadError
 */
export async function uploadMap({ url, headers }: Destination, upload: Upload, waitMs = 500): Promise<void> {
  const target = new URL(paths.sourceMaps(), url)
  target.searchParams.set('release', upload.release)
  target.searchParams.set('path', upload.path)
  if (upload.service !== null) target.searchParams.set('service', upload.service)
  if (upload.debugId !== null) target.searchParams.set('debug_id', upload.debugId)
  const body = await promisify(gzip)(upload.json)

  for (let attempt = 1; ; attempt++) {
    const problem = await put(target, { ...headers }, body)
    if (problem === null) return
    if (!problem.isRetryable || attempt === maxAttempts)
      throw new UploadError(problem.message, problem.isFatal)
    await sleep(problem.retryAfterMs ?? waitMs * 2 ** (attempt - 1))
  }
}

type Problem = { message: string; isRetryable: boolean; isFatal: boolean; retryAfterMs: number | null }

async function put(target: URL, headers: Record<string, string>, body: Buffer): Promise<Problem | null> {
  try {
    const answer = await fetch(target, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await answer.text()
    if (answer.ok) return null
    const afterSeconds = Number(answer.headers.get('retry-after') ?? Number.NaN)
    return {
      message: explain(answer.status, text),
      isRetryable: answer.status === 429 || answer.status >= 500,
      isFatal: answer.status === 401,
      retryAfterMs: Number.isFinite(afterSeconds) ? Math.min(afterSeconds, 30) * 1000 : null,
    }
  } catch {
    const message = `nobody answers at ${target.origin}: start Sixpane, or name it with --url or SIXPANE_URL`
    return { message, isRetryable: true, isFatal: true, retryAfterMs: null }
  }
}

function explain(status: number, text: string): string {
  if (status === 401) return 'Sixpane asks for a token: set SIXPANE_TOKEN, or SIXPANE_PASSWORD'
  try {
    const said: unknown = JSON.parse(text)
    if (typeof said === 'object' && said !== null && 'message' in said) return `${status}: ${said.message}`
  } catch {
    // Something else than Sixpane answers in words of its own.
  }
  return `it was answered with status ${status}`
}
