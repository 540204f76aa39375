import t from 'tap'
import type { EventRow } from '../../shared/event.ts'
import type { WaterfallLine } from '../../shared/waterfall.ts'
import { linesOfEvents, linesOfTrace } from './log-lines.ts'

const startMs = Date.UTC(2026, 10, 21, 7, 16)

const event: EventRow = {
  id: 1,
  timeMs: startMs,
  severity: 'info',
  service: 'shop',
  release: '3.9.0',
  source: 'ndjson',
  body: 'cart loaded',
  requestId: null,
  traceId: null,
  method: null,
  route: null,
  status: null,
  durationMs: null,
  digest: null,
  fingerprint: null,
  exceptionType: null,
  exceptionMessage: null,
}

t.test('an event is one line with the time, zone, severity, service and message', async t => {
  t.same(
    linesOfEvents([
      event,
      { ...event, timeMs: startMs + 1.25, severity: 'warn', body: ' stock\r\n  is \u001b[31mlow\n' },
      { ...event, severity: 'error', body: 'checkout failed', exceptionType: 'TypeError', route: '/pay' },
      { ...event, exceptionType: 'TypeError', exceptionMessage: 'total is null', body: '' },
      { ...event, body: 'request completed', method: 'GET', route: '/cart', status: 200 },
      { ...event, body: ' ' },
    ]),
    [
      '2026-11-21T07:16:00.000Z info shop cart loaded',
      '2026-11-21T07:16:00.001Z warn shop stock is low',
      '2026-11-21T07:16:00.000Z error shop TypeError: checkout failed (/pay)',
      '2026-11-21T07:16:00.000Z info shop TypeError: total is null',
      '2026-11-21T07:16:00.000Z info shop GET /cart (request completed)',
      '2026-11-21T07:16:00.000Z info shop (no message)',
    ],
  )
})

t.test('the events of a trace are ordered by the time at which they were logged', async t => {
  const line = { left: 0, width: 0, depth: 0, nested: 0, kind: 'event', severity: 'info' } as const
  const rest = { service: 'shop', isFailed: false, request: null, durationMs: null }
  const lines: WaterfallLine[] = [
    {
      ...line,
      ...rest,
      id: 1,
      severity: 'error',
      offsetMs: 0,
      durationMs: 1240,
      request: 'POST /checkout 500',
      text: '',
    },
    { ...line, ...rest, id: 2, offsetMs: 12.5, text: 'cart\nloaded' },
    { left: 1, width: 90, depth: 1, nested: 0, kind: 'gap', gapMs: 1000 },
    { ...line, ...rest, id: 3, offsetMs: 1230, text: '' },
  ]
  const expected = [
    '2026-11-21T07:16:00.012Z info shop cart loaded',
    '2026-11-21T07:16:01.230Z info shop (no message)',
    '2026-11-21T07:16:01.240Z error shop POST /checkout 500',
  ]
  t.same(linesOfTrace({ lines, fromMs: startMs, total: 3 }), expected)
  t.same(linesOfTrace({ lines, fromMs: startMs, total: 250 }), [...expected, '… 247 events omitted'])
})
