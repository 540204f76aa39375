import { join } from 'node:path'
import { paths } from '../../shared/paths.ts'
import { measureMedians } from './median.ts'
import { pageMs } from './page-request.ts'
import type { Bench, Part } from './part.ts'
import { serveSixpane } from './processes.ts'
import type { Measurement } from './rows.ts'
import { seed } from './stores.ts'

const dashboard = paths.dashboard({ range: { span: '7d' } })
const log = paths.activities({ range: { span: '7d' } })

/** Measures the same pages with stores of different sizes. All stores cover the same week. */
export const growth: Part = {
  async run(bench) {
    const { events, largestEvents, folder, largeStore } = bench
    const small = await seed(join(folder, 'small'), events / 10)
    const measurements = await compare(bench, events / 10, small, (await largeStore()).folder, {
      dashboard: 'dashboardGrowth',
      log: 'logGrowth',
    })
    if (largestEvents === 0) return measurements
    const largest = await seed(join(folder, 'largest'), largestEvents)
    const ids = { dashboard: 'dashboardLargest', log: 'logLargest' } as const
    return [...measurements, ...(await compare(bench, events / 10, small, largest, ids))]
  },
}

async function compare(
  { rounds }: Bench,
  smallEvents: number,
  small: string,
  large: string,
  ids: Record<'dashboard' | 'log', Measurement['id']>,
): Promise<Measurement[]> {
  const [few, many] = [await serveSixpane(small), await serveSixpane(large)]
  const medianMs = await measureMedians(rounds, {
    dashboardFew: () => pageMs(few.origin, dashboard),
    dashboardMany: () => pageMs(many.origin, dashboard),
    logFew: () => pageMs(few.origin, log),
    logMany: () => pageMs(many.origin, log),
  })
  await Promise.all([few.stop(), many.stop()])
  const name = `${smallEvents.toLocaleString('en')} events`
  return [
    {
      id: ids.dashboard,
      value: medianMs('dashboardMany'),
      references: [{ name, value: medianMs('dashboardFew') }],
    },
    { id: ids.log, value: medianMs('logMany'), references: [{ name, value: medianMs('logFew') }] },
  ]
}
