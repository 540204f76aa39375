import t from 'tap'
import type { LogEvent } from '../../../../shared/event.ts'
import { acceptedMs, idAt } from '../../common/time.ts'
import { anEvent, noonMs } from '../../conformance/testing.ts'
import { type Database, openDatabase } from '../engine/database.ts'
import { eventsInIds } from './read-events.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]

function accepted(ms: number): LogEvent {
  return { ...anEvent({ timeMs: ms }), id: idAt(ms) }
}

function hours(fromMs: number, count: number): LogEvent[] {
  return Array.from({ length: count }, (_, hour) => accepted(fromMs + hour * hourMs))
}

async function checkSegments({ segments, reading }: Database, events: readonly LogEvent[]): Promise<void> {
  const ranges = segments.all().map(({ firstId, lastId }) => [firstId, lastId])
  t.same(
    ranges.flat(),
    ranges.flat().sort((a, b) => a - b),
    'the segments are in order',
  )
  for (const [firstId = 0, lastId = 0] of ranges) t.ok(acceptedMs(lastId) - acceptedMs(firstId) < dayMs)
  const all = { afterId: 0, upToId: Number.MAX_SAFE_INTEGER }
  const stored = await reading(undefined, source => eventsInIds(source, all))
  t.same(
    stored.map(({ id }) => id),
    events.map(({ id }) => id).sort((a, b) => a - b),
  )
}

t.test('stores older events before and between existing segments, in segments up to a day long', async t => {
  const options = { memoryBytes: null, nowMs: () => noonMs, logger: undefined }
  const folder = t.testdir()
  const database = await openDatabase(folder, options)
  const imports = [
    hours(noonMs - 2 * hourMs, 2),
    hours(noonMs - 20 * dayMs, 30),
    hours(noonMs - 5 * dayMs, 75),
    hours(noonMs - 5 * dayMs - 2 * hourMs, 2),
    [accepted(noonMs - 7 * dayMs)],
    [accepted(noonMs - 30 * dayMs)],
  ]
  for (const events of imports) {
    for (const event of events) t.same(await database.importEvents([event]), { stored: 1, regrouped: 0 })
  }
  t.same(await database.importEvents(imports[2] ?? []), { stored: 0, regrouped: 0 })
  const events = imports.flat()
  await checkSegments(database, events)
  t.equal(database.segments.all().length, 10)
  await database.close()

  const reopened = await openDatabase(folder, options)
  t.teardown(() => reopened.close())
  await checkSegments(reopened, events)
  await checkSegments(reopened, [...events, ...(await reopened.append([anEvent()], []))])
})
