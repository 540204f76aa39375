import { type Admission, createAdmission } from './admission.ts'
import type { PageRequest } from './page-request.ts'

/** Seconds until a rejected visitor should try again. */
export const retryAfterSeconds = 5

const limits = {
  /** A search reads the texts of many events and uses all processors, so running more would only delay all of them. */
  search: { maxRunning: 2, maxWaiting: 100, maxWaitMs: retryAfterSeconds * 1000 },
  other: { maxRunning: 4, maxWaiting: 100, maxWaitMs: retryAfterSeconds * 1000 },
}

/** Admits pages to the server. Pages with a search have a separate lane, so that they do not delay the others. */
export function createPageLanes(): (page: PageRequest) => Admission {
  const search = createAdmission(limits.search)
  const other = createAdmission(limits.other)
  return ({ params }) => (params.get('q') ? search : other)
}
