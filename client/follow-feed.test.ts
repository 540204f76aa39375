import t, { type Test } from 'tap'
import { type Connection, followFeed } from './follow-feed.ts'

class FakeEventSource extends EventTarget {
  static CLOSED = 2
  readyState = 0
  readonly after: string | null
  constructor({ searchParams }: URL) {
    super()
    this.after = searchParams.get('after')
  }
  close() {
    this.readyState = FakeEventSource.CLOSED
  }
}

/** Follows a feed with the position 7 in a browser whose clock is stopped. */
function follow(t: Test) {
  const sources: FakeEventSource[] = []
  /** The delays of the timers that are running. */
  const timers = new Map<() => void, number>()
  const connections: Connection[] = []
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const EventSource = class extends FakeEventSource {
    constructor(url: URL) {
      super(url)
      sources.push(this)
    }
  }
  const setTimeout = (call: () => void, ms: number) => {
    timers.set(call, ms)
    return call
  }
  const clearTimeout = (timer: () => void) => timers.delete(timer)
  t.intercept(globalThis, 'document', { value: document })
  t.intercept(globalThis, 'location', { value: { href: 'http://localhost/activities' } })
  t.intercept(globalThis, 'EventSource', { value: EventSource })
  t.intercept(globalThis, 'setTimeout', { value: setTimeout })
  t.intercept(globalThis, 'clearTimeout', { value: clearTimeout })
  const stop = followFeed(
    '/live?after=7',
    connection => connections.push(connection),
    () => {},
  )
  const dispatch = (event: Event) => sources.at(-1)?.dispatchEvent(event)
  return {
    connections,
    stop,
    opened: () => sources.map(({ after }) => after),
    isClosed: () => sources.every(({ readyState }) => readyState === FakeEventSource.CLOSED),
    delays: () => [...timers.values()],
    endDelay() {
      for (const call of [...timers.keys()]) {
        timers.delete(call)
        call()
      }
    },
    open: () => dispatch(new Event('open')),
    fail(isFinal: boolean) {
      if (isFinal) sources.at(-1)?.close()
      dispatch(new Event('error'))
    },
    heartbeat: (lastEventId: string) => dispatch(new MessageEvent('events', { data: '[]', lastEventId })),
    setVisibility(state: DocumentVisibilityState) {
      document.visibilityState = state
      document.dispatchEvent(new Event('visibilitychange'))
    },
  }
}

t.test('after a refusal, tries again after increasing delays', t => {
  const feed = follow(t)
  const delays = Array.from({ length: 6 }, () => {
    feed.fail(true)
    const shown = feed.delays()
    feed.endDelay()
    return shown
  })
  t.same(delays, [[5_000], [10_000], [20_000], [40_000], [60_000], [60_000]])
  t.same(feed.connections.slice(0, 3), ['opening', 'ended', 'opening'])
  feed.open()
  feed.fail(true)
  t.same(feed.delays(), [5_000], 'an open connection resets the delay')
  t.end()
})

t.test('lets the browser reconnect after a lost connection', t => {
  const feed = follow(t)
  feed.open()
  feed.fail(false)
  t.same(feed.connections, ['opening', 'open', 'lost'])
  t.same(feed.opened(), ['7'])
  feed.open()
  t.equal(feed.connections.at(-1), 'open')
  t.end()
})

t.test('opens the feed again after the last message if nothing arrives', t => {
  const feed = follow(t)
  feed.open()
  t.same(feed.delays(), [40_000])
  feed.heartbeat('12')
  t.same(feed.delays(), [40_000], 'a heartbeat restarts the only timer')
  feed.endDelay()
  t.same(feed.opened(), ['7', '12'])
  t.equal(feed.connections.at(-1), 'opening')
  t.end()
})

t.test('is closed while the tab is hidden', t => {
  const feed = follow(t)
  feed.heartbeat('12')
  feed.setVisibility('hidden')
  t.ok(feed.isClosed())
  t.same(feed.delays(), [])
  feed.setVisibility('visible')
  t.same(feed.opened(), ['7', '12'])
  feed.stop()
  t.ok(feed.isClosed())
  feed.setVisibility('visible')
  t.same(feed.opened(), ['7', '12'], 'a stopped feed is not opened again')
  t.end()
})
