import { type RefObject, useEffect, useState } from 'react'
import { useInView } from './use-in-view.ts'

/** More rows than any screen is high, and no fewer than a page of the server has. */
const first = 150
const step = 300

/**
 * How many rows are drawn: some at first, more as the reader comes to their end. While the log follows, only the top is
 * looked at, and what has scrolled out below is let go.
 * @param end stands below the last row
 */
export function useDrawn(end: RefObject<Element | null>, isFollowed: boolean): number {
  const [drawn, setDrawn] = useState(first)
  useInView(end, () => setDrawn(count => count + step))
  useEffect(() => {
    if (isFollowed) setDrawn(first)
  }, [isFollowed])
  return drawn
}
