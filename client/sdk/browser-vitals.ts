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
 * Sends the metrics when the page is first hidden or left. Later updates are not sent, because they would be counted twice.
 * A page restored from the back/forward cache is measured separately.
 */
export function watchVitals(send: (vitals: BrowserVital[]) => void): void {
  const known = new Set<string>()
  let pending: BrowserVital[] = []
  const add = ({ id, name, value, rating, navigationType }: Metric) => {
    if (known.has(id)) return
    known.add(id)
    pending.push({ name, value, rating, navigationType })
  }
  onLCP(add)
  onINP(add)
  onCLS(add)
  onTTFB(add)
  // Registered after the library's listeners, which report the final values when the page is hidden.
  for (const type of ['visibilitychange', 'pagehide']) {
    addEventListener(type, () => {
      if (pending.length > 0) send(pending)
      pending = []
    })
  }
}
