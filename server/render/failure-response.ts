import { digestLine, failureLinks } from '../../shared/failure-page.ts'
import { paths } from '../../shared/paths.ts'
import { refusalPage } from '../html/refusal-page.ts'
import { QueryLimitError, StoreUnavailableError } from '../store/store.ts'
import { failurePage } from './failure-page.ts'

/** The time after which clients may try again. */
const retryAfterSeconds = 5

/** The response to a failed request. */
export type FailureResponse = {
  status: number
  headers: Readonly<Record<string, string | number>>
  /** Omitted if nothing about the cause may be revealed. */
  message?: string
  /** @param digest `null` if the failure could not be logged */
  page(host: string, digest: string | null): string
}

/**
 * Returns the response to a thrown value. If the store is unavailable or a query exceeded a limit, the page says so, because
 * visitors can then do something about it. Any other value gets the generic failure page.
 */
export function failureResponseTo(thrown: unknown): FailureResponse {
  const headers = { 'cache-control': 'no-store' }
  if (thrown instanceof StoreUnavailableError)
    return {
      status: 503,
      headers: { ...headers, 'retry-after': retryAfterSeconds },
      message: storeProblem,
      page: (_host, digest) => storePage(digest),
    }
  if (thrown instanceof QueryLimitError) {
    const message = `${thrown.message}. Choose a shorter time range or a narrower search.`
    return { status: 422, headers, message, page: (_host, digest) => limitPage(message, digest) }
  }
  return { status: 500, headers, page: (host, digest) => failurePage('server', host, digest) }
}

/** Only the log contains the cause. */
const storeProblem = 'Sixpane cannot use its database at the moment'

function storePage(digest: string | null): string {
  const text = `${storeProblem}. Nothing is wrong with this page: try again when the database can be reached. Sixpane’s log contains the cause.`
  return refusalPage('Database unavailable', text + digestAfter(digest), [
    { text: failureLinks.reload, href: '' },
    { text: failureLinks.home, href: paths.home() },
  ])
}

function limitPage(message: string, digest: string | null): string {
  return refusalPage('Too much data', message + digestAfter(digest), [{ text: 'Home', href: paths.home() }])
}

function digestAfter(digest: string | null): string {
  return digest === null ? '' : ` ${digestLine(digest)}`
}
