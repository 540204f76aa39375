import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { allEvents, anEvent, findMessages, testWindow } from '../../conformance/testing.ts'
import { openDuckDbStore } from '../store.ts'
import { damageBlocks } from './testing.ts'

function segmentFiles(folder: string): string[] {
  return readdirSync(folder).filter(file => /^events-.*\.duckdb$/.test(file))
}

/** Creates a store with a segment of several blocks, and a newer segment that contains the event `newer`. */
async function storeWithBlocks(folder: string): Promise<string> {
  let clockMs = Date.UTC(2026, 0, 1)
  const store = await openDuckDbStore({ folder, nowMs: () => clockMs })
  const texts = Array.from({ length: 60_000 }, (_, index) => Math.sin(index).toString(36).repeat(3))
  await store.append(texts.map(body => anEvent({ body })))
  clockMs += 2 * 86_400_000
  await store.append([anEvent({ body: 'newer' })])
  await store.close()
  const [older = ''] = segmentFiles(folder)
  return join(folder, older)
}

async function openWithLog(folder: string) {
  const lines: unknown[] = []
  const log = (fields: unknown, message?: unknown) => lines.push([message, fields])
  return { store: await openDuckDbStore({ folder, logger: { info() {}, warn: log, error: log } }), lines }
}

t.test('detects a damaged block on read, and moves its file aside without a restart', async t => {
  const folder = t.testdir()
  const file = await storeWithBlocks(folder)
  damageBlocks(file)
  const damaged = readFileSync(file)
  const { store, lines } = await openWithLog(folder)
  t.teardown(() => store.close())

  const query = { kind: 'text', text: 'newer' } as const
  const results = await Promise.all(
    [1, 2, 3].map(() => store.events({ window: testWindow, query, limit: 10 })),
  )
  for (const { events } of results) {
    t.same(
      events.map(({ body }) => body),
      ['newer'],
    )
  }
  const [moved = ''] = (await store.stats()).damagedFiles
  t.same(readFileSync(join(folder, moved)), damaged, 'the file is moved unchanged')
  t.match(lines, [
    ['Moved a damaged store file aside', { file }],
    ['Reopened the store', { reason: /checksum/ }],
  ])
  await store.append([anEvent({ body: 'next' })])
  t.same(await findMessages(store, allEvents), ['newer', 'next'])
  t.equal(lines.length, 2)
})

t.test('reopens the other files even if the first attempt fails after a damaged file was moved', async t => {
  const folder = t.testdir()
  damageBlocks(await storeWithBlocks(folder))
  const obstacle = join(folder, 'events-9999999999999999.duckdb')
  const logger = { info() {}, warn() {}, error: () => mkdirSync(obstacle) }
  const store = await openDuckDbStore({ folder, logger })
  t.teardown(() => store.close())

  const read = () => findMessages(store, { kind: 'text', text: 'newer' })
  await t.rejects(read(), /events-9999999999999999/)
  rmdirSync(obstacle)
  t.same(await read(), ['newer'])
  t.equal((await store.stats()).damagedFiles.length, 1)
  t.equal(
    segmentFiles(folder).length,
    2,
    'new events go to a new file, so that the damaged file can be moved back',
  )
})
