import t from 'tap'
import { dayMs } from '../../../shared/duration-units.ts'
import type { HistogramBucket } from '../../store/event-store.ts'
import type { StoreStats } from '../../store/store.ts'
import { testNowMs } from '../../testing/fake-context.ts'
import { diskForecast } from './disk-forecast.ts'

/** The stored events have 1,000 bytes each. */
async function forecastOf(
  { events, ageDays, recent }: { events: number; ageDays: number; recent: number },
  limits: { days: number; gigabytes: number },
) {
  const stats: StoreStats = {
    events,
    diskBytes: 1000 * events,
    oldestMs: events === 0 ? null : testNowMs - ageDays * dayMs,
    damagedFiles: [],
    queries: 0,
    queriesMs: 0,
  }
  const histogram = async ({ window }: { window: { fromMs: number } }): Promise<HistogramBucket[]> => [
    { startMs: window.fromMs, counts: { trace: 0, debug: 0, info: recent, warn: 0, error: 0, fatal: 0 } },
  ]
  const { days, gigabytes } = limits
  return diskForecast({ histogram }, stats, { maxAgeMs: days * dayMs, maxBytes: gigabytes * 1e9 }, testNowMs)
}

t.test('the age limit applies first if its events need less disk space than the size limit', async t => {
  t.equal(
    await forecastOf({ events: 500_000, ageDays: 20, recent: 105_000 }, { days: 30, gigabytes: 10 }),
    'Events need about 15 MB per day. The age limit applies first, at about 450 MB.',
  )
})

t.test('otherwise, the size limit applies first', async t => {
  const busy = { events: 30_000_000, ageDays: 20, recent: 14_000_000 }
  t.equal(
    await forecastOf(busy, { days: 30, gigabytes: 10 }),
    'Events need about 2 GB per day. The size limit applies first, after about 5 days.',
  )
  t.equal(
    await forecastOf(busy, { days: 30, gigabytes: 0.5 }),
    'Events need about 2 GB per day. The size limit applies first, after about 6 hours.',
  )
})

t.test('one event with an old time does not distort the estimate', async t => {
  const stray = { events: 105_001, ageDays: 25, recent: 105_000 }
  t.match(await forecastOf(stray, { days: 30, gigabytes: 10 }), 'Events need about 15 MB per day.')
})

t.test(
  'returns no estimate if the store contains less than a day of events, or no recent events',
  async t => {
    const limits = { days: 30, gigabytes: 10 }
    t.equal(await forecastOf({ events: 0, ageDays: 0, recent: 0 }, limits), null)
    t.equal(await forecastOf({ events: 1000, ageDays: 0.9, recent: 1000 }, limits), null)
    t.equal(await forecastOf({ events: 1000, ageDays: 20, recent: 0 }, limits), null)
  },
)
