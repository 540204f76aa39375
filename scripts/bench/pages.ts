import { paths } from '../../shared/paths.ts'
import { fetchPage } from './page-request.ts'
import { countElements } from './page-tree.ts'
import type { Part } from './part.ts'
import { serveSixpane } from './processes.ts'

/** Measures page sizes with the large store. `server/render/page-size.test.ts` limits the sizes for a fixed set of events. */
export const pages: Part = {
  async run({ largeStore }) {
    const { origin, stop } = await serveSixpane((await largeStore()).folder)
    const dashboard = await fetchPage(origin, paths.dashboard())
    const sizeKb = async (path: string) => Buffer.byteLength(await fetchPage(origin, path)) / 1000
    const measurements = [
      { id: 'dashboardSize' as const, value: Buffer.byteLength(dashboard) / 1000 },
      { id: 'dashboardElements' as const, value: countElements(dashboard) },
      { id: 'uiSize' as const, value: await sizeKb(paths.ui()) },
      { id: 'activitiesSize' as const, value: await sizeKb(paths.activities()) },
      { id: 'developmentSize' as const, value: await sizeKb(paths.development()) },
    ]
    await stop()
    return measurements
  },
}
