import { type FeedMessage, readFeed } from './read-feed.ts'

/** `lost`: the browser is reconnecting; `ended`: the server has refused the connection, and another attempt follows later. */
export type Connection = 'opening' | 'open' | 'lost' | 'ended'

/** The server sends a message at least every 15 seconds. */
const maxSilenceMs = 40_000
const firstDelayMs = 5_000
const maxDelayMs = 60_000

/**
 * Follows a live feed until the returned function is called. EventSource reconnects after a lost connection, but it gives up
 * if a server or a proxy responds with an error, and does not notice a silently lost connection. In both cases, opens the
 * feed again. Each attempt resumes after the last message. A hidden tab closes its feed, because browsers open only six
 * HTTP/1.1 connections to a host, which all tabs share.
 */
export function followFeed(
  href: string | URL,
  onConnection: (connection: Connection) => void,
  onMessage: (message: FeedMessage) => void,
): () => void {
  const url = new URL(href, location.href)
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let delayMs = firstDelayMs

  const close = () => {
    clearTimeout(timer)
    source?.close()
  }
  const openAfter = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(open, ms)
  }
  function open(): void {
    close()
    onConnection('opening')
    if (document.visibilityState === 'hidden') return
    const opened = new EventSource(url)
    source = opened
    openAfter(maxSilenceMs)
    opened.addEventListener('open', () => {
      delayMs = firstDelayMs
      onConnection('open')
    })
    opened.addEventListener('error', () => {
      if (opened.readyState !== EventSource.CLOSED) return onConnection('lost')
      onConnection('ended')
      openAfter(delayMs)
      delayMs = Math.min(2 * delayMs, maxDelayMs)
    })
    readFeed(opened, message => {
      url.searchParams.set('after', message.after)
      openAfter(maxSilenceMs)
      onMessage(message)
    })
  }

  document.addEventListener('visibilitychange', open)
  open()
  return () => {
    close()
    document.removeEventListener('visibilitychange', open)
  }
}
