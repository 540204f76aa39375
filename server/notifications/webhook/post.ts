import { addAbortListener } from 'node:events'
import { errorCode } from '../../../shared/error-code.ts'
import type { NewDelivery, Webhook } from '../../store/webhook-store.ts'
import type { TracedFetch } from '../../tracing/tracing.ts'
import type { AttemptResult } from '../channel.ts'
import { signatureHeaders } from './sign.ts'
import { withoutPath } from './without-path.ts'

/** Shorter than the deadline for a page, because the settings page waits for the result of a test message. */
const timeoutMs = 8000
const maxProblemLength = 200

class DeadlineError extends Error {
  override name = 'DeadlineError'
  constructor() {
    super(`No response within ${timeoutMs / 1000} s`)
  }
}

/** Posts a message to its webhook. Does not follow redirects, so that the message reaches only the configured URL. */
export async function post(
  { url, secret }: Pick<Webhook, 'url' | 'secret'>,
  { id, body }: Pick<NewDelivery, 'id' | 'body'>,
  nowMs: number,
  signal: AbortSignal,
  fetch: TracedFetch,
): Promise<AttemptResult> {
  // Not `AbortSignal.any`, because Node 20 keeps a combined signal in memory until one of its sources aborts.
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(new DeadlineError()), timeoutMs)
  const listening = addAbortListener(signal, () => ending.abort(signal.reason))
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Sixpane',
        ...signatureHeaders({ id, body, secret }, nowMs),
      },
      body,
      redirect: 'manual',
      signal: ending.signal,
    })
    if (response.ok) {
      // The message has arrived, even if the connection breaks now.
      await response.body?.cancel().catch(() => {})
      return { status: response.status, problem: null, retryAfterMs: null }
    }
    // The status determines whether there is a retry, so it is returned even if the body cannot be read.
    const text = withoutPath(await beginningOf(response).catch(() => ''), url)
    const problem = `HTTP ${response.status}${text === '' ? '' : `: ${text}`}`
    return { status: response.status, problem, retryAfterMs: retryAfterOf(response) }
  } catch (error) {
    return { status: null, problem: reasonOf(error), retryAfterMs: null }
  } finally {
    clearTimeout(timer)
    listening[Symbol.dispose]()
  }
}

/** Reads only the beginning of a response, where receivers explain errors. */
async function beginningOf(response: Response): Promise<string> {
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  const text = new TextDecoder().decode(value?.subarray(0, maxProblemLength))
  return text.replace(/\s+/g, ' ').trim()
}

/** Parses `Retry-After` in seconds, but not as a date: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after */
function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return seconds > 0 && seconds < 86_400 ? seconds * 1000 : null
}

function reasonOf(error: unknown): string {
  if (error instanceof DeadlineError) return error.message
  const code = error instanceof Error ? errorCode(error.cause) : null
  return code === null ? 'The connection failed' : `The connection failed: ${code}`
}
