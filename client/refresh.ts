import { createContext, useContext, useEffect, useEffectEvent } from 'react'
import type { Page } from '../shared/page.ts'

/**
 * Replaces the displayed page with a newer one, unless the visitor has navigated. If only a full load can show the response,
 * reloads the page, unless text would be lost or only the counts were requested.
 * @throws Error if the server is unreachable, is busy or has failed
 */
export type Refresh = (request: RefreshRequest, signal: AbortSignal) => Promise<void>
export type RefreshRequest = {
  href: string
  /** Combines the displayed page with the loaded one. */
  merge: (displayed: Page, loaded: Page) => Page
}

/** `null` on the server. */
export const RefreshContext = createContext<Refresh | null>(null)

const maxDelayMs = 5 * 60_000

/**
 * Refreshes the page regularly while its tab is visible. If a refresh became due while the tab was hidden, refreshes the
 * page as soon as the tab is visible again. Waits longer while the server is unreachable or busy. Skips a refresh while the
 * visitor is interacting with content that the refresh would replace.
 * @param everyMs `null` to stop
 */
export function useRefresh(everyMs: number | null, request: RefreshRequest): void {
  const refresh = useContext(RefreshContext)
  const latestRequest = useEffectEvent(() => request)
  useEffect(() => {
    if (refresh === null || everyMs === null) return
    const ended = new AbortController()
    let dueMs = Date.now() + everyMs
    let delayMs = everyMs
    let timer = setTimeout(run, everyMs)

    async function run(): Promise<void> {
      clearTimeout(timer)
      if (refresh === null || everyMs === null || document.visibilityState === 'hidden') return
      if (!isInUse()) {
        try {
          await refresh(latestRequest(), ended.signal)
          delayMs = everyMs
        } catch {
          delayMs = Math.min(2 * delayMs, maxDelayMs)
        }
      }
      if (ended.signal.aborted) return
      clearTimeout(timer)
      dueMs = Date.now() + delayMs
      timer = setTimeout(run, delayMs)
    }
    const onVisible = () => {
      if (document.visibilityState === 'hidden') return
      clearTimeout(timer)
      timer = setTimeout(run, Math.max(dueMs - Date.now(), 0))
    }
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      ended.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [refresh, everyMs])
}

/** Whether the visitor is pressing a pointer button or has selected text, or the focus is in a chart. */
function isInUse(): boolean {
  return (
    document.querySelector(':active') !== null ||
    getSelection()?.type === 'Range' ||
    document.activeElement?.closest('[data-fragment]') != null
  )
}
