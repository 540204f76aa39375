import t from 'tap'
import { cursorOf } from '../../common/cursor.ts'
import { allEvents, anEvent, noonMs } from '../../conformance/testing.ts'
import { openDatabase } from '../engine/database.ts'
import { rowShape } from '../sql/event-rows.ts'
import { eventPage } from './event-page.ts'

const dayMs = 86_400_000

t.test('a page before or after a cursor reads no segment on the other side of the cursor', async t => {
  let nowMs = noonMs
  const database = await openDatabase(t.testdir(), {
    memoryBytes: null,
    nowMs: () => nowMs,
    logger: undefined,
  })
  t.teardown(() => database.close())
  for (let day = 0; day < 4; day += 1) {
    nowMs = noonMs + day * 2 * dayMs
    await database.append([anEvent({ timeMs: nowMs }), anEvent({ timeMs: nowMs + 1 })], [])
  }
  t.equal(database.segments.all().length, 4)

  const window = { fromMs: noonMs - dayMs, toMs: noonMs + 10 * dayMs }
  await database.reading(undefined, async source => {
    let queries = 0
    const counting: typeof source = {
      ...source,
      query(query) {
        queries += 1
        return source.query(query)
      },
    }
    const page = async (cursor: { before?: string; after?: string }) => {
      queries = 0
      const found = await eventPage(counting, { window, query: allEvents, limit: 1, ...cursor }, rowShape())
      return { times: found.events.map(({ timeMs }) => timeMs), queries }
    }
    const lastDayMs = noonMs + 6 * dayMs
    const at = (timeMs: number) => cursorOf({ timeMs, id: 0 })
    t.same(await page({ after: at(lastDayMs) }), { times: [lastDayMs], queries: 1 })
    t.same(await page({ before: at(noonMs + 1) }), { times: [noonMs], queries: 1 })
  })
})
