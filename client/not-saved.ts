import { showProblem } from './page-notice.ts'

/** A response that rejects a form but contains no page; `null` if there was no response. */
type Refusal = Pick<Response, 'status' | 'headers'> | null

/**
 * Says that a form was not saved, and offers to submit it again. Forms are never resubmitted automatically, because the
 * server may have handled them.
 */
export function showNotSaved(refusal: Refusal, tryAgain: () => void): void {
  showProblem(`Not saved. ${reasonOf(refusal)}`, tryAgain)
}

function reasonOf(refusal: Refusal): string {
  switch (refusal?.status) {
    case undefined:
      return 'Can’t reach Sixpane.'
    case 401:
      return 'Sign in, then try again.'
    case 403:
      return 'Sixpane refused the request.'
    case 413:
      return 'The text is too long.'
    case 422:
      return 'The form contains an error.'
    case 429:
      return `Too many requests. Wait ${waitOf(refusal)}, then try again.`
    case 503:
      return `Sixpane is busy. Wait ${waitOf(refusal)}, then try again.`
    default:
      return `The server responded with status ${refusal?.status}.`
  }
}

function waitOf(refusal: Refusal): string {
  const seconds = Number(refusal?.headers.get('retry-after'))
  return seconds > 0 ? `${seconds} s` : 'a moment'
}
