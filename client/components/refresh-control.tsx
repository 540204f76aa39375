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
  const updatedMs = useRefresh(refreshIntervals[interval], { href: url, merge: withLoaded })
  return (
    <div className="refresh needs-script">
      <Updated updatedMs={updatedMs} />
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

/** Shows when the page was last refreshed, or if `updatedMs` is `null`, when it was loaded. */
function Updated({ updatedMs }: { updatedMs: number | null }) {
  const [{ sinceMs, nowMs }, setTimes] = useState({ sinceMs: 0, nowMs: 0 })
  useEffect(() => {
    const since = updatedMs ?? Date.now()
    const tick = () => setTimes({ sinceMs: since, nowMs: Date.now() })
    tick()
    const timer = window.setInterval(tick, tickMs)
    return () => window.clearInterval(timer)
  }, [updatedMs])
  return <span className="refresh-updated">Updated {formatAgo(sinceMs, nowMs)}</span>
}
