import { digestLine, failureLinks } from '../../shared/failure-page.ts'
import { paths } from '../../shared/paths.ts'
import { refusalPage } from '../html/refusal-page.ts'

/** After this time, clients may try again. */
const retryAfterSeconds = 5

/** The message for visitors while the store cannot be used. Only the log contains the cause. */
export const storeProblem = 'Sixpane cannot use its database at the moment'

export const storeHeaders = { 'retry-after': retryAfterSeconds, 'cache-control': 'no-store' }

/** Returns a page for a store that cannot be used. It replaces the failure page, because trying again later helps. */
export function storePage(digest: string | null): string {
  const where = digest === null ? '' : ` ${digestLine(digest)}`
  const text = `${storeProblem}. Nothing is wrong with this page: try again when the database can be reached. The log of Sixpane says why.${where}`
  return refusalPage('Database unavailable', text, [
    { text: failureLinks.reload, href: '' },
    { text: failureLinks.home, href: paths.home() },
  ])
}
