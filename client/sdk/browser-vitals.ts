import {
  type CLSMetric,
  type INPMetric,
  type LCPMetric,
  onCLS,
  onINP,
  onLCP,
  onTTFB,
  type TTFBMetric,
} from 'web-vitals'
import type { BrowserVital } from '../../shared/browser-report.ts'

type Metric = LCPMetric | INPMetric | CLSMetric | TTFBMetric

/**
 * Sends the metrics when the visitor first hides or leaves the page. Later updates are not sent, because each metric would
 * then be counted twice. A page restored from the back/forward cache has separate metrics.
 */
export function watchVitals(send: (vitals: BrowserVital[]) => void): void {
  const addedIds = new Set<string>()
  let pending: BrowserVital[] = []
  const add = ({ id, name, value, rating, navigationType }: Metric) => {
    if (addedIds.has(id)) return
    addedIds.add(id)
    pending.push({ name, value, rating, navigationType })
  }
  onLCP(add)
  onINP(add)
  onCLS(add)
  onTTFB(add)
  // Registered after the library's listeners, which report the final values on the same events.
  for (const type of ['visibilitychange', 'pagehide']) {
    addEventListener(type, () => {
      if (pending.length > 0) send(pending)
      pending = []
    })
  }
}
