import t from 'tap'
import { createRandom } from '../../../testing/random.ts'
import { emptySketch, type RequestSketch } from '../request-sketch.ts'
import type { CellPart } from './add-cells.ts'
import { addRequests } from './add-requests.ts'
import { createChunkWriter, type EventBlock } from './event-block.ts'
import { withMinuteCells } from './minute-cells.ts'
import { withMinuteChunks } from './minute-chunks.ts'
import { minuteUs } from './minutes.ts'
import { type Buckets, bucketFinder, grainUs, type TimesUs } from './times.ts'
import { type TimedBlocks, visitBlocks } from './visit-blocks.ts'

type Group = {
  service: string
  release: string | null
  fingerprint: string | null
  method: string | null
  route: string | null
  isRequest: boolean
  isError: boolean
}

const random = createRandom(11)
const below = (limit: number): number => Math.floor(random() * limit)

function randomGroups(services: number): Group[] {
  return Array.from({ length: 60 }, () => {
    const isRequest = random() < 0.8
    return {
      service: `service-${below(services)}`,
      release: random() < 0.5 ? null : `${below(2)}`,
      fingerprint: random() < 0.9 ? null : 'f1',
      method: null,
      route: `/${below(5)}`,
      isRequest,
      isError: isRequest && random() < 0.2,
    }
  })
}

/** @param endUs the time before which all events are */
function randomBlock(
  fromUs: number,
  groups: readonly Group[],
  eventsPerGroup: number,
  endUs: number,
): EventBlock<Group> {
  // A large chunk and a small one.
  const chunks = [eventsPerGroup, 3].map(events => {
    const writer = createChunkWriter(groups)
    for (const group of groups.keys()) {
      if (random() < 0.3) continue
      for (let event = 0; event < events; event += 1) {
        // Some events are exactly at the boundary of two minutes.
        const offsetUs = random() < 0.1 ? below(20) * minuteUs : below(endUs - fromUs)
        writer.addEvent(offsetUs, groups[group]?.isRequest ? 600 + below(10) : 0)
      }
      writer.endGroup(group)
    }
    return writer.finish()
  })
  return { fromUs, chunks }
}

async function visited(parts: readonly TimedBlocks<Group>[], buckets: Buckets, byMinute: boolean) {
  const found = new Map<string, { count: number; newestUs: number }>()
  const bucketAt = bucketFinder(buckets)
  await visitBlocks(byMinute ? await withMinuteChunks(parts, buckets) : parts, buckets, group => {
    const { service, release, fingerprint, isError } = group
    return (timeUs, count) => {
      const key = JSON.stringify([service, release, fingerprint, isError, bucketAt(timeUs)])
      const existing = found.get(key) ?? { count: 0, newestUs: 0 }
      found.set(key, { count: existing.count + count, newestUs: Math.max(existing.newestUs, timeUs) })
    }
  })
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1))
}

async function added(parts: readonly TimedBlocks<Group>[], buckets: Buckets, byMinute: boolean) {
  const sketches = new Map<string, RequestSketch>()
  const bucketAt = bucketFinder(buckets)
  const { cells, events } = byMinute
    ? await withMinuteCells(parts, buckets)
    : { cells: [] as CellPart[], events: parts }
  await addRequests(cells, events, buckets, ({ service }) => timeUs => {
    const key = `${service} ${bucketAt(timeUs)}`
    const sketch = sketches.get(key) ?? emptySketch()
    sketches.set(key, sketch)
    return sketch
  })
  return [...sketches].sort(([a], [b]) => (a < b ? -1 : 1))
}

const startUs = 1000 * grainUs
const hourUs = 60 * minuteUs
/** The second block contains no later events. */
const nowUs = startUs + 50.25 * minuteUs
const windows: readonly { times: readonly TimesUs[]; bucketUs: number }[] = [
  { times: [{ fromUs: startUs + 7 * minuteUs, toUs: startUs + 47 * minuteUs + 12_345 }], bucketUs: minuteUs },
  { times: [{ fromUs: startUs + 7 * minuteUs, toUs: startUs + 9 * minuteUs }], bucketUs: 5 * minuteUs },
  { times: [{ fromUs: startUs + 777, toUs: startUs + 50 * minuteUs + 1 }], bucketUs: hourUs },
  { times: [{ fromUs: startUs + 777, toUs: startUs + 50 * minuteUs + 1 }], bucketUs: minuteUs },
  { times: [{ fromUs: startUs, toUs: startUs + 2 * grainUs }], bucketUs: 90_000_000 },
  { times: [{ fromUs: startUs + 5, toUs: startUs + 6 }], bucketUs: minuteUs },
  { times: [{ fromUs: startUs + minuteUs, toUs: nowUs }], bucketUs: minuteUs },
  { times: [{ fromUs: startUs + minuteUs, toUs: nowUs }], bucketUs: nowUs - startUs - minuteUs },
  { times: [{ fromUs: startUs + 777, toUs: nowUs }], bucketUs: nowUs - startUs },
  {
    times: [
      { fromUs: startUs, toUs: startUs + 3 * minuteUs },
      { fromUs: startUs + 40 * minuteUs, toUs: startUs + 2 * grainUs },
    ],
    bucketUs: minuteUs,
  },
]

for (const [name, services, eventsPerGroup] of [
  ['few services', 3, 500],
  ['many services', 200, 200],
  ['few events', 3, 10],
  ['few events per minute and group', 20, 50],
] as const) {
  t.test(`counts by minute have the same results as events, with ${name}`, async t => {
    const groups = randomGroups(services)
    const blocks = [startUs, startUs + grainUs].map((fromUs, index) =>
      randomBlock(fromUs, groups, eventsPerGroup, index === 0 ? fromUs + grainUs : nowUs),
    )
    for (const { times, bucketUs } of windows) {
      for (const visible of [null, new Set(['service-1', 'service-2'])]) {
        const buckets = { fromUs: times[0]?.fromUs ?? 0, bucketUs }
        const parts = [{ blocks, times, services: visible }]
        const label = JSON.stringify({ times, bucketUs, isLimited: visible !== null })
        // Twice, because the second time uses cached counts.
        for (let time = 0; time < 2; time += 1) {
          t.same(await visited(parts, buckets, true), await visited(parts, buckets, false), label)
          if (visible === null)
            t.same(await added(parts, buckets, true), await added(parts, buckets, false), label)
        }
      }
    }
  })
}
