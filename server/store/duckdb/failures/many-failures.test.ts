import t from 'tap'
import { maxFailures, maxServices } from '../../common/list-limits.ts'
import { failureCounts, failures } from '../../common/metrics/failures.ts'
import { services } from '../../common/metrics/services.ts'
import { anEvent, noonMs, testWindow } from '../../conformance/testing.ts'
import { openDatabase } from '../engine/database.ts'
import { eventReader } from '../events/event-reader.ts'
import { failureReader } from './failure-reader.ts'

t.test('if services and failures have unlimited names, keeps only the most frequent', async t => {
  const database = await openDatabase(t.testdir(), {
    memoryBytes: null,
    nowMs: () => noonMs,
    logger: undefined,
  })
  t.teardown(() => database.close())
  const eventOf = (name: string, index: number) =>
    anEvent({ service: name, fingerprint: name, timeMs: noonMs + (index % 1000) })
  const unique = Array.from({ length: maxFailures + 10 }, (_, index) => eventOf(`id-${index}`, index))
  await database.append(unique, [])
  await database.append(
    Array.from({ length: 5 }, (_, index) => eventOf('shop', index)),
    [],
  )
  const bucketMs = testWindow.toMs - testWindow.fromMs
  await database.reading(undefined, async source => {
    const filter = { state: null, service: null, text: null, sort: 'frequent', limit: 1 } as const
    const found = await failures(failureReader(source), { window: testWindow, bucketMs, ...filter })
    t.match(found.failures, [{ id: 'shop', count: 5, sparkline: [5] }])
    t.ok(found.counts.open.failures <= maxFailures)
    t.equal(found.services.length, maxServices)
    t.ok((await failureCounts(eventReader(source), testWindow)).open.failures <= maxFailures)
    const listed = await services(eventReader(source), testWindow, bucketMs)
    t.equal(listed.length, maxServices)
    t.match(listed.at(-1), { service: 'shop', failures: 5, sparkline: [5] })
  })
})
