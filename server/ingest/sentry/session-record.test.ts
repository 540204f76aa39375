import t from 'tap'
import type { Attributes } from '../../../shared/event.ts'
import { aggregateRecords, sessionRecords } from './session-record.ts'
import { sender } from './testing.ts'

const started = '2026-11-23T08:01:48.678Z'
const timestamp = '2026-11-23T08:02:00.000Z'
const attrs = { release: 'web@3.0.0', environment: 'prod' }

t.test('counts the start and the failure of a session, with their times', async t => {
  const cases: [Attributes, object | null, string][] = [
    [{ init: true, status: 'ok' }, { started: 1, crashed: 0, abnormal: 0 }, started],
    [{ init: true, status: 'crashed' }, { started: 1, crashed: 1, abnormal: 0 }, timestamp],
    [{ init: false, status: 'crashed' }, { started: 0, crashed: 1, abnormal: 0 }, timestamp],
    [{ init: false, status: 'unhandled' }, { started: 0, crashed: 1, abnormal: 0 }, timestamp],
    [{ init: false, status: 'abnormal' }, { started: 0, crashed: 0, abnormal: 1 }, timestamp],
    [{ init: false, status: 'ok', errors: 1 }, null, ''],
    [{ init: false, status: 'exited' }, null, ''],
    [{ init: 'yes', status: 7 }, null, ''],
  ]
  for (const [fields, sessions, time] of cases) {
    const records = sessionRecords({ started, timestamp, attrs, ...fields }, sender)
    const expected = {
      time: Date.parse(time),
      level: 'debug',
      sessions,
      'service.name': 'web',
      'service.version': '3.0.0',
      'deployment.environment.name': 'prod',
    }
    t.match(records, sessions === null ? [] : [expected], JSON.stringify(fields))
    t.equal(records.length, sessions === null ? 0 : 1)
  }
})

t.test("counts a server's sessions per minute", async t => {
  const aggregates = [
    { started, exited: 3, errored: 2, crashed: 1, abnormal: 1 },
    { started: timestamp, exited: 1, unhandled: 2 },
    { started, exited: 0 },
    { started, exited: -3, errored: 1.5, crashed: 'x' },
    null,
  ]
  t.match(aggregateRecords({ aggregates, attrs }, sender), [
    {
      time: Date.parse(started),
      msg: 'Sessions: 7 started, 1 crashed, 1 ended abnormally',
      sessions: { started: 7, crashed: 1, abnormal: 1 },
    },
    { time: Date.parse(timestamp), sessions: { started: 3, crashed: 2, abnormal: 0 } },
  ])
  for (const aggregates of [null, 7, {}, [[]]]) t.same(aggregateRecords({ aggregates, attrs }, sender), [])
})
