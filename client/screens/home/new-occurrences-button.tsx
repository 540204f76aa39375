import { useEffect, useState } from 'react'
import { formatCount } from '../../../shared/format.ts'
import { announce } from '../../announce.ts'
import { ButtonLink } from '../../components/button.tsx'
import { parseGap, parseLiveEvents } from '../../live-messages.ts'
import { usePage } from '../../page.ts'

/** Counts the failures that came since the page was made, and offers to show them: what is being read stays as it is. */
export function NewOccurrencesButton({ href }: { href: string }) {
  const { url } = usePage()
  const count = useCount(href)
  if (count === 0) return null
  return (
    <div className="home-news">
      <ButtonLink href={url} kind="primary">
        {formatCount(count)} new {count === 1 ? 'failure' : 'failures'}: show
      </ButtonLink>
    </div>
  )
}

/** How many events a live feed has sent. A page that nobody looks at follows none: it counts anew when it is back. */
function useCount(href: string): number {
  const [counted, setCounted] = useState({ href, count: 0 })
  useEffect(() => {
    let source: EventSource | null = null
    let told = false
    const listen = () => {
      let count = 0
      const add = (more = 0) => {
        count += more
        setCounted({ href, count })
        if (count > 0 && !told) announce('New failures have come in')
        told ||= count > 0
      }
      source = new EventSource(href)
      source.addEventListener('events', ({ data }) => add(parseLiveEvents(String(data))?.length))
      source.addEventListener('gap', ({ data }) => add(parseGap(String(data)) ?? 0))
    }
    const rest = () => {
      source?.close()
      source = null
    }
    const look = () => {
      if (document.visibilityState === 'hidden') rest()
      else if (source === null) listen()
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      rest()
    }
  }, [href])
  return counted.href === href ? counted.count : 0
}
