import { useEffect, useState } from 'react'
import { formatCount } from '../../../shared/format.ts'
import { announce } from '../../announce.ts'
import { ButtonLink } from '../../components/button.tsx'
import { parseGap, parseLiveEvents } from '../../live-messages.ts'
import { usePage } from '../../page.ts'

/** Counts new occurrences. A button loads them, so the page does not change while the visitor reads. */
export function NewOccurrencesButton({ href }: { href: string }) {
  const { url } = usePage()
  const count = useCount(href)
  if (count === 0) return null
  return (
    <div className="home-new-occurrences">
      <ButtonLink href={url} kind="primary">
        Show {formatCount(count)} new {count === 1 ? 'occurrence' : 'occurrences'}
      </ButtonLink>
    </div>
  )
}

/** Counts the events of a live feed. The feed closes while the tab is hidden; the count restarts when the tab is visible. */
function useCount(href: string): number {
  const [counted, setCounted] = useState({ href, count: 0 })
  useEffect(() => {
    let source: EventSource | null = null
    let isAnnounced = false
    const listen = () => {
      let count = 0
      const add = (more = 0) => {
        count += more
        setCounted({ href, count })
        if (count > 0 && !isAnnounced) announce('New occurrences available')
        isAnnounced ||= count > 0
      }
      source = new EventSource(href)
      source.addEventListener('events', ({ data }) => add(parseLiveEvents(String(data))?.length))
      source.addEventListener('gap', ({ data }) => add(parseGap(String(data)) ?? 0))
    }
    const close = () => {
      source?.close()
      source = null
    }
    const update = () => {
      if (document.visibilityState === 'hidden') close()
      else if (source === null) listen()
    }
    update()
    document.addEventListener('visibilitychange', update)
    return () => {
      document.removeEventListener('visibilitychange', update)
      close()
    }
  }, [href])
  return counted.href === href ? counted.count : 0
}
