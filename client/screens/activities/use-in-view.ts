import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

/** Calls `onEnter` whenever the element comes into view. */
export function useInView(element: RefObject<Element | null>, onEnter: () => void): void {
  const enter = useEffectEvent(onEnter)
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) enter()
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
}

/** More rows than fit on a screen, and no fewer than the server sends in a page. */
const initialRows = 150
/** Enough for a screen. If events arrive fast, each render replaces all rows. */
const fewRows = 40
const rowStep = 300

/**
 * Limits the number of rendered rows, and raises the limit when the visitor reaches the end. While the log follows new
 * events, only the top is visible, so the limit is reset.
 * @param end an element below the last row
 * @param isFast whether events arrive faster than they can be read
 */
export function useRowLimit(end: RefObject<Element | null>, isFollowing: boolean, isFast: boolean): number {
  const [limit, setLimit] = useState(initialRows)
  useInView(end, () => setLimit(current => current + rowStep))
  useEffect(() => {
    if (isFollowing) setLimit(isFast ? fewRows : initialRows)
  }, [isFollowing, isFast])
  return limit
}
