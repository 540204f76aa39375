import t from 'tap'
import { grainUs } from '../../common/metrics/times.ts'
import type { Row } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { CountedSearch } from './search-count-grains.ts'
import { createSearchCounts } from './search-counts.ts'

/** A search for text in messages. */
function searchFor(text: string): CountedSearch {
  return {
    columns: [sql`service`, sql`1 AS events`],
    matching: sql`FROM event WHERE position(body, ${text}) > 0`,
    counted: [{ label: 'service', column: sql`service`, count: sql`sum(events)` }],
  }
}

/** One row for each of these keys, with `values` services. */
function rowsOf(keys: readonly number[], values = 1): Row[] {
  const services = Array.from({ length: values }, (_, index) => `service-${index}`)
  const counts = services.map(() => 2)
  return keys.map(key => ({ key, labels: services.map(() => 'service'), texts: services, counts }))
}

const dayUs = 48 * grainUs
const day = { fromUs: 1000 * grainUs, toUs: 1000 * grainUs + dayUs + 1 }
const bucketUs = 2 * grainUs

t.test('reads whole half-hours only once for each search', async t => {
  const read: string[] = []
  const searches = createSearchCounts({
    async select({ texts }) {
      const ofGrains = texts.join('').includes(`intDiv(time_us, `)
      read.push(ofGrains ? 'half-hours' : 'rest')
      return rowsOf([ofGrains ? 1001 : 24])
    },
  })
  const count = (text: string, window = day) => searches.count(searchFor(text), window, bucketUs, undefined)
  const found = await count('declined')
  t.match(
    found?.filter(({ counts }) => counts.length > 0),
    [
      { fromUs: 1001 * grainUs, counts: [{ label: 'service', value: 'service-0', count: 2 }] },
      { fromUs: 1048 * grainUs, counts: [{ label: 'service', value: 'service-0', count: 2 }] },
    ],
  )
  t.same(read.splice(0).sort(), ['half-hours', 'rest'])
  t.same(await count('declined'), found)
  t.same(read.splice(0).sort(), ['rest'])
  await count('accepted')
  t.same(read.splice(0).sort(), ['half-hours', 'rest'])
  await count('declined', { ...day, toUs: day.toUs + 2 * grainUs })
  t.same(read.splice(0).sort(), ['half-hours', 'rest'], 'later half-hours')
})

t.test('does not read windows with few whole half-hours', async t => {
  const searches = createSearchCounts({ select: () => Promise.reject(new Error('Reads events')) })
  const hour = { fromUs: day.fromUs + 1, toUs: day.fromUs + 2 * grainUs }
  t.equal(await searches.count(searchFor('declined'), hour, grainUs, undefined), null)
  t.equal(await searches.count(searchFor('declined'), day, grainUs / 2, undefined), null)
})

t.test('if there are too many values, other searches do not read them either', async t => {
  let reads = 0
  const searches = createSearchCounts({
    async select() {
      reads += 1
      return rowsOf([1000], 60_001)
    },
  })
  const whole = { ...day, toUs: day.fromUs + dayUs }
  t.equal(await searches.count(searchFor('declined'), whole, bucketUs, undefined), null)
  t.equal(await searches.count(searchFor('accepted'), whole, bucketUs, undefined), null)
  t.equal(reads, 1)
})
