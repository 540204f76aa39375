import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Preserves a row's position in the viewport when its event opens or closes. An open event narrows the log, so rows may
 * wrap.
 */
export function useScrollAnchor(openId: number | null): void {
  const anchor = useRef<{ openId: number | null; row: string; top: number } | null>(null)

  useLayoutEffect(() => {
    const before = anchor.current
    if (before === null || before.openId === openId) return
    anchor.current = null
    const row = document.getElementById(before.row)
    if (row !== null) scrollBy(0, row.getBoundingClientRect().top - before.top)
  }, [openId])

  useEffect(() => {
    function onClick({ target }: MouseEvent): void {
      const link = target instanceof Element ? target.closest('a') : null
      const row =
        link && (link.closest('.events tbody tr') ?? document.querySelector('.events tr[data-open]'))
      anchor.current = row && { openId, row: row.id, top: row.getBoundingClientRect().top }
    }
    document.addEventListener('click', onClick, { capture: true })
    return () => document.removeEventListener('click', onClick, { capture: true })
  }, [openId])
}
