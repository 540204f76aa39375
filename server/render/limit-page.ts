import { digestLine } from '../../shared/failure-page.ts'
import { paths } from '../../shared/paths.ts'
import { refusalPage } from '../html/refusal-page.ts'
import type { QueryLimitError } from '../store/store.ts'

/** Says which limit a query exceeded, and what the visitor can do. */
export function limitMessage({ message }: QueryLimitError): string {
  return `${message}. Choose a shorter time range or a narrower search.`
}

/** Returns a page that explains the limit. It is shown instead of the failure page, because a narrower search may succeed. */
export function limitPage(error: QueryLimitError, digest: string | null): string {
  const where = digest === null ? '' : ` ${digestLine(digest)}`
  return refusalPage('Too much data', `${limitMessage(error)}${where}`, [
    { text: 'Home', href: paths.home() },
  ])
}
