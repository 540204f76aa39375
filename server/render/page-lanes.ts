import { BusyError, createAdmission } from './admission.ts'
import { DeadlineError } from './deadline.ts'
import type { PageRequest } from './page-request.ts'

/** Seconds until a rejected visitor should try again. */
export const retryAfterSeconds = 5

const limits = {
  /** Each search uses all cores to scan the text of many events, so more searches would only delay each other. */
  search: { maxRunning: 2, maxWaiting: 100, maxWaitMs: retryAfterSeconds * 1000 },
  other: { maxRunning: 4, maxWaiting: 100, maxWaitMs: retryAfterSeconds * 1000 },
}

/** Runs the work for a page when the page is admitted. See `Admission.run`. */
export type AdmitPage = <T>(page: PageRequest, signal: AbortSignal, work: () => Promise<T>) => Promise<T>

/**
 * Limits concurrent pages. Pages with a search use a separate lane, so that they do not delay other pages. If a page misses
 * its deadline while other pages are being prepared, the cause is overload, so the page is rejected with a BusyError.
 */
export function createPageLanes(): AdmitPage {
  const search = createAdmission(limits.search)
  const other = createAdmission(limits.other)
  const running = new Set<{ isAlone: boolean }>()
  return (page, signal, work) => {
    const lane = page.params.get('q') ? search : other
    return lane.run(page.visitor, signal, async () => {
      const current = { isAlone: running.size === 0 }
      for (const each of running) each.isAlone = false
      running.add(current)
      try {
        return await work()
      } catch (error) {
        throw error instanceof DeadlineError && !current.isAlone ? new BusyError(error.message) : error
      } finally {
        running.delete(current)
      }
    })
  }
}
