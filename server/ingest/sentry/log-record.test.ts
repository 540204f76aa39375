import t from 'tap'
import { logRecord } from './log-record.ts'
import { normalise, sender } from './testing.ts'

const nowMs = Date.parse('2026-11-23T07:40:12Z')
const read = (log: Parameters<typeof logRecord>[0]) => normalise(logRecord(log, sender), 'sentry', nowMs)
const value = (value: string | number | boolean) => ({ value, type: typeof value })

t.test('a log becomes an event with OpenTelemetry names', async t => {
  const event = read({
    timestamp: 1795419606.4944642,
    level: 'warn',
    body: 'low stock',
    trace_id: '5afdc239e023e55d0df20b6e0c0301c3',
    severity_number: 13,
    attributes: {
      sku: value('A1'),
      left: value(2),
      'user.id': value('u1'),
      'sentry.release': value('shop@1.2.3'),
      'sentry.environment': value('prod'),
      'sentry.sdk.name': value('sentry.javascript.node'),
      'sentry.trace.parent_span_id': value('526f601a1429df32'),
      'server.address': value('host-1'),
      'sentry.message.template': value('low %s'),
    },
  })
  t.match(event, {
    severity: 'warn',
    service: 'shop',
    release: '1.2.3',
    body: 'low stock',
    traceId: '5afdc239e023e55d0df20b6e0c0301c3',
    spanId: '526f601a1429df32',
    fingerprint: null,
  })
  t.ok(Math.abs(event.timeMs - 1795419606494.464) < 0.001)
  t.same(event.attributes, {
    sku: 'A1',
    left: 2,
    'user.id': 'u1',
    'deployment.environment.name': 'prod',
    'telemetry.sdk.name': 'sentry.javascript.node',
    'host.name': 'host-1',
    'sentry.message.template': 'low %s',
  })
})

t.test('attributes do not replace the fields of the log', async t => {
  const event = read({
    timestamp: 1795419606,
    level: 'info',
    body: 'body',
    attributes: {
      level: value('fatal'),
      msg: value('other'),
      'service.name': value('named'),
      time: value(1),
    },
  })
  t.match(event, { severity: 'info', body: 'body', service: 'named', timeMs: 1795419606000 })
  t.same(event.attributes, { 'attributes.level': 'fatal', 'attributes.msg': 'other', 'attributes.time': 1 })
})

t.test('a log without fields becomes an event with the arrival time', async t => {
  for (const log of [
    {},
    { attributes: 7 },
    { attributes: { a: 7 } },
    { timestamp: 'x', level: 3, body: [] },
  ]) {
    const event = read(log)
    t.match(event, { timeMs: nowMs, severity: 'info', body: '', service: 'project-1' })
    t.notOk('time' in event.attributes)
  }
})
