import t from 'tap'
import { grainUs } from '../../common/metrics/times.ts'
import type { Row } from '../../common/rows.ts'
import { sql } from '../../common/sql.ts'
import type { CountedSearch } from './search-count-grains.ts'
import { createSearchCounts, divideSearch } from './search-counts.ts'

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

const day = { fromUs: 1000 * grainUs, toUs: 1048 * grainUs + 1 }
const bucketUs = 2 * grainUs

/** @param rowsFor returns the rows of half-hours (with numbers of them as keys), or of the remaining times (`null`) */
function searchesOf(rowsFor: (halfHours: { first: number; end: number } | null) => Row[]) {
  const read: string[] = []
  const searches = createSearchCounts({
    async select({ texts, values }) {
      const isOfGrains = texts.join('').includes('intDiv(time_us, ')
      read.push(isOfGrains ? 'half-hours' : 'rest')
      const [first = 0, end = 0] = values
        .filter(value => typeof value === 'number' && value >= day.fromUs)
        .map(value => Number(value) / grainUs)
      return rowsFor(isOfGrains ? { first, end } : null)
    },
  })
  return {
    read,
    async count(text: string, window = day) {
      const divided = divideSearch(window, bucketUs)
      if (divided === null) throw new Error('Too few half-hours')
      const found = await searches.count(
        searchFor(text),
        divided,
        { fromUs: window.fromUs, bucketUs },
        undefined,
      )
      return found?.parts.flatMap(({ fromUs, values, counts }) =>
        Array.from(values, (value, index) => [fromUs / grainUs, found.values[value]?.value, counts[index]]),
      )
    },
  }
}

t.test('reads whole half-hours only once for each search', async t => {
  const { read, count } = searchesOf(halfHours => rowsOf([halfHours === null ? 24 : 1001]))
  const found = await count('declined')
  t.same(found, [
    [1001, 'service-0', 2],
    [1048, 'service-0', 2],
  ])
  t.same(read.splice(0), ['half-hours', 'rest'])
  t.same(await count('declined'), found)
  t.same(read.splice(0), ['rest'])
  await count('accepted')
  t.same(read.splice(0), ['half-hours', 'rest'])
  await count('declined', { ...day, toUs: day.toUs + 2 * grainUs })
  t.same(read.splice(0), ['half-hours', 'rest'], 'later half-hours')
})

t.test('does not cache windows with few whole half-hours', async t => {
  t.equal(divideSearch({ fromUs: day.fromUs + 1, toUs: day.fromUs + 2 * grainUs }, grainUs), null)
  t.equal(divideSearch(day, grainUs / 2), null)
})

t.test('if there are too many values in a read, other searches do not read them either', async t => {
  const { read, count } = searchesOf(() => rowsOf([1000], 40_001))
  t.equal(await count('declined'), undefined)
  t.equal(await count('accepted'), undefined)
  t.same(read, ['half-hours'])
})

t.test('if there are too many different values, other searches do not read them either', async t => {
  const { read, count } = searchesOf(() => rowsOf([1000], 5001))
  t.equal(await count('declined'), undefined)
  t.equal(await count('accepted'), undefined)
  t.same(read, ['half-hours'])
})

t.test('counts that need too much memory are read only once', async t => {
  const { read, count } = searchesOf(halfHours =>
    halfHours === null
      ? []
      : rowsOf(
          Array.from({ length: halfHours.end - halfHours.first }, (_, index) => halfHours.first + index),
          100,
        ),
  )
  const month = { ...day, toUs: day.fromUs + 30 * 48 * grainUs }
  t.equal((await count('declined', month))?.length, 30 * 48 * 100)
  t.equal(read.splice(0).length, 4)
  t.equal((await count('declined', month))?.length, 30 * 48 * 100)
  t.same(read.splice(0), [])
  const twoMonths = { ...day, toUs: day.fromUs + 60 * 48 * grainUs }
  t.equal(await count('declined', twoMonths), undefined)
  const reads = read.splice(0).length
  t.ok(reads > 0)
  t.equal(await count('declined', twoMonths), undefined)
  t.same(read, [])
})
