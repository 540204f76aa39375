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
 * Gives what was measured when the page is hidden for the first time or left: what comes after that on the same load
 * would count it twice. A page that comes back out of the browser's cache is measured anew.
 */
export function watchVitals(send: (vitals: BrowserVital[]) => void): void {
  const known = new Set<string>()
  let waiting: BrowserVital[] = []
  const keep = ({ id, name, value, rating, navigationType }: Metric) => {
    if (known.has(id)) return
    known.add(id)
    waiting.push({ name, value, rating, navigationType })
  }
  onLCP(keep)
  onINP(keep)
  onCLS(keep)
  onTTFB(keep)
  // After the library's own listeners, which tell the last figures when the page is hidden.
  for (const type of ['visibilitychange', 'pagehide']) {
    addEventListener(type, () => {
      if (waiting.length > 0) send(waiting)
      waiting = []
    })
  }
}
