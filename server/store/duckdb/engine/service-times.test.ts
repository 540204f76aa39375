import t from 'tap'
import { releaseStarts } from '../../common/releases.ts'
import { seenSources } from '../../common/seen-sources.ts'
import { maxTimes } from '../../common/service-times.ts'
import { anEvent } from '../../conformance/testing.ts'
import { openDatabase } from './database.ts'

const startMs = Date.UTC(2026, 0, 1)

t.test('a service with too many releases does not hide other services', async t => {
  const database = await openDatabase(t.testdir(), {
    memoryBytes: null,
    nowMs: () => startMs,
    logger: undefined,
  })
  t.teardown(() => database.close())
  const append = (...events: { timeMs: number; service: string; release: string }[]) =>
    database.append(events.map(anEvent), [])
  const startsSince = (fromMs: number) =>
    database.reading(undefined, async source => {
      const window = { fromMs, toMs: startMs + 10_000 }
      const starts = await releaseStarts(source, { window, service: 'mail' })
      return starts.map(({ release }) => release)
    })

  await append(
    { timeMs: startMs - 3000, service: 'mail', release: 'm1' },
    { timeMs: startMs - 2000, service: 'mail', release: 'm2' },
  )
  t.same(await startsSince(startMs - 5000), ['m2'])
  const releases = Array.from({ length: maxTimes }, (_, index) => `r${index}`)
  await append(...releases.map(release => ({ timeMs: startMs, service: 'shop', release })))
  const seen = await database.reading(undefined, seenSources)
  t.match(seen, [
    { service: 'mail', lastSeenMs: startMs - 2000 },
    { service: 'shop', lastSeenMs: startMs },
  ])

  await append({ timeMs: startMs + 1000, service: 'mail', release: 'm2' })
  t.same(await startsSince(startMs), [], 'a release is not new if its earlier events are beyond the limit')
  await append({ timeMs: startMs + 2000, service: 'mail', release: 'm3' })
  t.same(await startsSince(startMs), ['m3'])
})
