import t from 'tap'
import { type FeedMessage, readFeed } from './read-feed.ts'

t.test('a gap is counted once, together with the events after it', async t => {
  const listeners = new Map<string, (event: MessageEvent) => void>()
  const messages: FeedMessage[] = []
  readFeed({ addEventListener: (type, listener) => listeners.set(type, listener) }, message =>
    messages.push(message),
  )
  const send = (type: string, data: string, lastEventId: string) =>
    listeners.get(type)?.(new MessageEvent(type, { data, lastEventId }))
  send('events', '[]', '5')
  send('gap', '{"missed":12}', '5')
  t.same(messages, [{ missed: 0, events: [], after: '5' }], 'the gap is not reported yet')
  // The connection was lost, and the feed resumes after position 5.
  send('gap', '{"missed":20}', '5')
  send('events', '[]', '30')
  send('events', '[]', '31')
  t.same(messages.slice(1), [
    { missed: 20, events: [], after: '30' },
    { missed: 0, events: [], after: '31' },
  ])
})
