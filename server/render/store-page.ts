import { digestLine, failureLinks } from '../../shared/failure-page.ts'
import { paths } from '../../shared/paths.ts'
import { refusalPage } from '../html/refusal-page.ts'

/** After this time, clients may try again. */
const retryAfterSeconds = 5

/** What visitors may know while the store cannot be used. The cause is in the log. */
export const storeProblem = 'Sixpane cannot use its database at the moment'

export const storeHeaders = { 'retry-after': retryAfterSeconds, 'cache-control': 'no-store' }

/** Says that the store cannot be used. Used instead of the failure page, because trying again later helps. */
export function storePage(digest: string | null): string {
  const where = digest === null ? '' : ` ${digestLine(digest)}`
  const text = `${storeProblem}. Nothing is wrong with this page: try again when the database can be reached. The log of Sixpane says why.${where}`
  return refusalPage('Database unavailable', text, [
    { text: failureLinks.reload, href: '' },
    { text: failureLinks.home, href: paths.home() },
  ])
}
