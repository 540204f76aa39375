import { type RefObject, useEffect, useRef } from 'react'

/** Calls back when the element comes into view. */
export function useInView(element: RefObject<Element | null>, call: () => void): void {
  const latest = useRef(call)
  useEffect(() => {
    latest.current = call
  })
  useEffect(() => {
    if (element.current === null) return
    const observer = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) latest.current()
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
}
