import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { connect } from '../../server/store/clickhouse/engine/connection.ts'
import {
  parseServerAddress,
  type ServerAddress,
} from '../../server/store/clickhouse/engine/server-address.ts'
import { openClickHouseStore } from '../../server/store/clickhouse/store.ts'
import { number } from '../../server/store/common/rows.ts'
import { sql } from '../../server/store/common/sql.ts'
import { openDuckDbStore } from '../../server/store/duckdb/store.ts'
import type { Store } from '../../server/store/store.ts'
import { launchClickHouse } from '../test/clickhouse.ts'
import { measureMedians } from './median.ts'
import type { MetricId } from './metrics.ts'
import { pageMs } from './page-request.ts'
import type { Bench, Part } from './part.ts'
import { type Served, serveSixpane } from './processes.ts'
import type { Measurement } from './rows.ts'
import { type ViewId, viewsOf, warmUp } from './search.ts'
import { createSyntheticEvents } from './synthetic-events.ts'

const batchEvents = 10_000
const ingestBatches = 20

const clickHouseIds: Readonly<Record<ViewId, MetricId>> = {
  home: 'clickHouseHome',
  dashboardHour: 'clickHouseDashboardHour',
  dashboardDay: 'clickHouseDashboardDay',
  dashboardWeek: 'clickHouseDashboardWeek',
  development: 'clickHouseDevelopment',
  developmentDigest: 'clickHouseDigest',
  missingTextDay: 'clickHouseMissingTextDay',
  missingTextWeek: 'clickHouseMissingTextWeek',
  phrase: 'clickHousePhrase',
  attribute: 'clickHouseAttribute',
  requestId: 'clickHouseRequestId',
}

/**
 * Measures both store engines with the same events. ClickHouse is chDB, or the server in `CLICKHOUSE_URL`. Runs only if
 * selected on the command line, because chDB has to be installed.
 */
export const engines: Part = {
  async run(bench) {
    const clickHouseFolder = join(bench.folder, 'clickhouse')
    await mkdir(clickHouseFolder)
    const { url, stop } = await launchClickHouse(clickHouseFolder)
    const storeOf = (database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href
    try {
      const ingested = await measureIngest(bench, storeOf('ingest'))
      const sizes = await fill(bench, storeOf('pages'))
      await untilMerged(storeOf('pages'))
      const duckDb = await serveSixpane((await bench.largeStore()).folder)
      const clickHouse = await serveSixpane(join(bench.folder, 'replica'), {
        SIXPANE_STORE: storeOf('pages'),
      })
      const pages = await measurePages(bench, duckDb, clickHouse)
      await Promise.all([duckDb.stop(), clickHouse.stop()])
      return [ingested, sizes, ...pages]
    } finally {
      await stop()
    }
  },
}

function addressOf(store: string): ServerAddress {
  const address = parseServerAddress(store)
  if (address === null) throw new TypeError('Not a server address')
  return address
}

const openClickHouse = (store: string): Promise<Store> => openClickHouseStore(addressOf(store))

async function measureIngest({ rounds, folder, isShort }: Bench, store: string): Promise<Measurement> {
  const stores = {
    clickHouse: await openClickHouse(store),
    duckDb: await openDuckDbStore({ folder: await mkdtemp(join(folder, 'ingest-')) }),
  }
  const count = isShort ? 1 : ingestBatches
  const createEvent = createSyntheticEvents(count * batchEvents, Date.now())
  const batches = Array.from({ length: count }, (_, batch) =>
    Array.from({ length: batchEvents }, (_, index) => createEvent(batch * batchEvents + index)),
  )
  const measure = (target: Store) => async () => {
    const startedMs = performance.now()
    for (const batch of batches) await target.append(batch)
    return (count * batchEvents * 1000) / (performance.now() - startedMs)
  }
  const perSecond = await measureMedians(rounds, {
    clickHouse: measure(stores.clickHouse),
    duckDb: measure(stores.duckDb),
  })
  await Promise.all([stores.clickHouse.close(), stores.duckDb.close()])
  return {
    id: 'clickHouseIngest',
    value: perSecond('clickHouse'),
    references: [{ name: 'DuckDB', value: perSecond('duckDb') }],
  }
}

/** Fills the database with the same synthetic events as the large store, and measures the disk space per event. */
async function fill({ events, largeStore, report }: Bench, database: string): Promise<Measurement> {
  const { folder } = await largeStore()
  const store = await openClickHouse(database)
  const createEvent = createSyntheticEvents(events, Date.now())
  for (let index = 0; index < events; index += batchEvents) {
    const length = Math.min(batchEvents, events - index)
    await store.append(Array.from({ length }, (_, offset) => createEvent(index + offset)))
    if (index % 1_000_000 === 0) report(`${index.toLocaleString('en')} events in ClickHouse`)
  }
  const duckDb = await openDuckDbStore({ folder })
  const [own, reference] = [await store.stats(), await duckDb.stats()]
  await Promise.all([store.close(), duckDb.close()])
  return {
    id: 'clickHouseBytes',
    value: own.diskBytes / own.events,
    references: [{ name: 'DuckDB', value: reference.diskBytes / reference.events }],
  }
}

/** Waits until ClickHouse has merged the new parts, because otherwise the first pages would compete with the merges. */
async function untilMerged(store: string): Promise<void> {
  const { select, close } = connect(addressOf(store))
  const running = async () => {
    const [row] = await select(sql`SELECT count() AS merges FROM system.merges`)
    return number(row?.merges)
  }
  while ((await running()) > 0) await setTimeout(1000)
  await close()
}

async function measurePages(
  { rounds, events }: Bench,
  duckDb: Served,
  clickHouse: Served,
): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  const views = viewsOf(events, Date.now())
  for (const { origin } of [clickHouse, duckDb]) await warmUp(origin, views)
  for (const { id, path } of views) {
    let round = 0
    const medianMs = await measureMedians(rounds, {
      clickHouse: () => {
        round += 1
        return pageMs(clickHouse.origin, path(round))
      },
      duckDb: () => pageMs(duckDb.origin, path(round)),
    })
    measurements.push({
      id: clickHouseIds[id],
      value: medianMs('clickHouse'),
      references: [{ name: 'DuckDB', value: medianMs('duckDb') }],
    })
  }
  return measurements
}
