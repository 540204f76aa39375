import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { anEvent, findMessages } from '../../conformance/testing.ts'
import { openDuckDbStore } from '../store.ts'

/** Runs the most expensive valid searches on 150 messages of 60 KB, and prints the memory growth in megabytes. */
const program = `
  import { parseQuery } from ${JSON.stringify(new URL('../../../query/parse.ts', import.meta.url).href)}
  import { anEvent, allEvents, findMessages } from ${JSON.stringify(new URL('../../conformance/testing.ts', import.meta.url).href)}
  import { openDuckDbStore } from ${JSON.stringify(new URL('../store.ts', import.meta.url).href)}
  const store = await openDuckDbStore({ folder: process.argv[1] })
  const body = 'Some words. '.repeat(5000)
  for (let batch = 0; batch < 3; batch++) await store.append(Array.from({ length: 50 }, () => anEvent({ body })))
  await findMessages(store, allEvents)
  const terms = (count, term, separator) =>
    Array.from({ length: count }, (_, index) => term.replace('#', index)).join(separator)
  const searches = [
    terms(50, 'z#', ' OR '),
    terms(50, '-z#', ' '),
    terms(50, 'words', ' '),
    'NOT (a NOT (b NOT (' + terms(46, 'z#', ' OR ') + ')))',
    terms(50, 'message:*_*z#*', ' OR '),
  ]
  const before = process.resourceUsage().maxRSS
  for (const search of searches) {
    const parsed = parseQuery(search)
    if ('problem' in parsed) throw new Error(parsed.problem.message)
    await findMessages(store, parsed.query)
  }
  console.log(Math.round((process.resourceUsage().maxRSS - before) / 1024))
  await store.close()
`

t.test('memory does not grow with the number of terms in a search', async t => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import=tsx',
    '--input-type=module',
    '--eval',
    program,
    t.testdir(),
  ])
  // A copy of the messages is 9 MB, so a copy for each term would be 450 MB.
  const growthMb = Number(stdout)
  t.ok(growthMb < 250, `${growthMb} MB`)
})

t.test('search time is not exponential in the number of wildcards', async t => {
  const store = await openDuckDbStore({ folder: t.testdir() })
  t.teardown(() => store.close())
  await store.append([anEvent({ body: 'a'.repeat(60_000) })])
  for (const value of [`${'*a'.repeat(500)}*b`, `${'*a'.repeat(500)}*_b%`]) {
    t.same(await findMessages(store, { kind: 'field', field: 'message', comparison: '=', value }), [])
  }
})
