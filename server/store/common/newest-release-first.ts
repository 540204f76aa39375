import type { KnownRelease } from '../event-store.ts'
import { compareText } from './compare-text.ts'

export function newestReleaseFirst(a: KnownRelease, b: KnownRelease): number {
  return (
    b.firstSeenMs - a.firstSeenMs || compareText(a.service, b.service) || compareText(a.release, b.release)
  )
}
