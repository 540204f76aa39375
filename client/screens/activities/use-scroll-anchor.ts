import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the row whose event is opened or closed at its place on the screen: with an event beside it the log is
 * narrower, and its rows may take more lines.
 */
export function useScrollAnchor(openId: number | null): void {
  const kept = useRef<{ openId: number | null; row: string; top: number } | null>(null)

  useLayoutEffect(() => {
    const before = kept.current
    if (before === null || before.openId === openId) return
    kept.current = null
    const row = document.getElementById(before.row)
    if (row !== null) scrollBy(0, row.getBoundingClientRect().top - before.top)
  }, [openId])

  useEffect(() => {
    function onClick({ target }: MouseEvent): void {
      const link = target instanceof Element ? target.closest('a') : null
      const row =
        link && (link.closest('.events tbody tr') ?? document.querySelector('.events tr[data-open]'))
      kept.current = row && { openId, row: row.id, top: row.getBoundingClientRect().top }
    }
    document.addEventListener('click', onClick, { capture: true })
    return () => document.removeEventListener('click', onClick, { capture: true })
  }, [openId])
}
