import { useEffect, useId, useState } from 'react'
import { formatAgo } from '../../shared/format.ts'
import type { Page } from '../../shared/page.ts'
import { usePage } from '../page.ts'
import { useRefresh } from '../refresh.ts'
import { type RefreshInterval, refreshIntervals, storedInterval, storeInterval } from '../refresh-interval.ts'

const labels: Record<RefreshInterval, string> = {
  off: 'Off',
  '10s': '10 s',
  '30s': '30 s',
  '1m': '1 min',
}
const tickMs = 1_000

/** Refreshes the page regularly, and shows when it was updated. The interval applies to all screens in this browser. */
export function RefreshControl() {
  const { url } = usePage()
  const id = useId()
  const [interval, setInterval] = useState<RefreshInterval>('30s')
  useEffect(() => setInterval(storedInterval()), [])
  useRefresh(refreshIntervals[interval], { href: url, merge: withLoaded })
  return (
    <div className="refresh needs-script">
      <Updated />
      <label htmlFor={id}>Refresh</label>
      <select id={id} value={interval} onChange={({ target }) => setInterval(storeInterval(target.value))}>
        {Object.entries(labels).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}

function withLoaded(_shown: Page, loaded: Page): Page {
  return loaded
}

/** Shows when the page was last loaded or refreshed. */
function Updated() {
  const page = usePage()
  const [{ sinceMs, nowMs }, setTimes] = useState({ sinceMs: 0, nowMs: 0 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each load or refresh creates a new page
  useEffect(() => {
    const since = Date.now()
    const tick = () => setTimes({ sinceMs: since, nowMs: Date.now() })
    tick()
    const timer = window.setInterval(tick, tickMs)
    return () => window.clearInterval(timer)
  }, [page])
  return <span className="refresh-updated">Updated {formatAgo(sinceMs, nowMs)}</span>
}
