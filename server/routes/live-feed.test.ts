import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import pLimit from 'p-limit'
import t from 'tap'
import { parseQuery } from '../query/parse.ts'
import { followEvents } from './live-feed.ts'

t.test('a quiet feed sends a visible heartbeat every 15 seconds', async t => {
  let nowMs = 0
  t.intercept(performance, 'now', { value: () => nowMs })
  t.intercept(globalThis, 'setTimeout', {
    value: (call: () => void, ms: number) => {
      nowMs += ms
      call()
    },
  })
  const parsed = parseQuery('')
  if ('problem' in parsed) return t.fail(parsed.problem.message)
  const out = new ServerResponse(new IncomingMessage(new Socket()))
  const end = new AbortController()
  const sent: [number, string][] = []
  t.intercept(out, 'write', {
    value: (text: string) => {
      sent.push([nowMs, text])
      if (sent.length === 3) end.abort()
      return true
    },
  })
  await followEvents(
    { out, slot: { stall: () => () => {}, release: () => {} }, signal: end.signal },
    { query: parsed.query, attributes: [] },
    { after: null, shownToMs: null },
    {
      store: {
        since: async () => ({ events: [], missed: 0, lastId: 7, position: '7' }),
        events: async () => ({ events: [], older: null, newer: null }),
      },
      onEvents: () => () => {},
      hasAccess: async () => true,
    },
    pLimit(1),
  )
  const heartbeat = 'id: 7\nevent: events\ndata: []\n\n'
  t.same(sent, [
    [0, `retry: 1000\n${heartbeat}`],
    [15_000, heartbeat],
    [30_000, heartbeat],
  ])
})
