import { digestLine, type FailureSide, failureLinks, failureSentence } from '../../shared/failure-page.ts'
import { paths } from '../../shared/paths.ts'
import { escapeHtml } from '../html/escape.ts'
import { standaloneContent, standaloneDocument } from '../html/standalone-page.ts'

/**
 * The failure page as a complete document. Only the side, the host and the digest vary. client/failure-page.ts creates the
 * same page.
 * @param digest `null` if the failure could not be logged
 */
export function failurePage(side: FailureSide, host: string, digest: string | null): string {
  return standaloneDocument('Application error', failureFragment(side, host, digest))
}

/** The content of the failure page. It also replaces a screen that has been partly sent. */
export function failureFragment(side: FailureSide, host: string, digest: string | null): string {
  const line = digest === null ? '' : `<p>${escapeHtml(digestLine(digest))}</p>`
  return standaloneContent(
    `<div data-failure role="alert"><h1>${escapeHtml(failureSentence(side, host))}</h1>${line}</div>` +
      `<p><a href="">${failureLinks.reload}</a><a href="${paths.home()}">${failureLinks.home}</a></p>`,
  )
}
