import { signatureHeaders } from './sign.ts'

const withinMs = 10_000
const longestProblem = 200

/** How one try to deliver a message went. `retryAfterMs` is what the receiver asked for. */
export type Posted = { status: number | null; problem: string | null; retryAfterMs: number | null }

/**
 * Posts a message to where it belongs. Never throws: what went wrong is `problem`, in words for who set the
 * webhook up. A redirect is not followed: it would carry the message to where nobody sent it.
 */
export async function post(
  { url, secret, id, body }: { url: string; secret: string; id: string; body: string },
  nowMs: number,
  signal: AbortSignal,
): Promise<Posted> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Sixpane',
        ...signatureHeaders({ id, body, secret }, nowMs),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
    })
    const said = await firstWords(answer)
    if (answer.ok) return { status: answer.status, problem: null, retryAfterMs: null }
    const problem = `Answered with ${answer.status}${said === '' ? '' : `: ${said}`}`
    return { status: answer.status, problem, retryAfterMs: retryAfterOf(answer) }
  } catch (error) {
    return { status: null, problem: reasonOf(error), retryAfterMs: null }
  }
}

/** The beginning of an answer: receivers say there what they did not like. No more of it is read. */
async function firstWords(answer: Response): Promise<string> {
  const reader = answer.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  const text = new TextDecoder().decode(value?.subarray(0, longestProblem))
  return text.replace(/\s+/g, ' ').trim()
}

/** https://www.rfc-editor.org/rfc/rfc9110#field.retry-after, in seconds; the other form is taken for none. */
function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return seconds > 0 && seconds < 86_400 ? seconds * 1000 : null
}

function reasonOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `No answer within ${withinMs / 1000} s`
  const cause = error instanceof Error ? error.cause : null
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : null
  return code === null ? 'The connection failed' : `The connection failed: ${code}`
}
