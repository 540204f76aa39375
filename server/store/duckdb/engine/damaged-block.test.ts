import { openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { allEvents, anEvent, findMessages, testWindow } from '../../conformance/testing.ts'
import { openDuckDbStore } from '../store.ts'

const headerBytes = 3 * 4096
const blockBytes = 256 * 1024

/** Changes a few bytes in the middle of a block, as a failing disk would. The file can still be opened. */
function damageBlock(file: string, block: number): void {
  writeSync(openSync(file, 'r+'), 'damaged', headerBytes + block * blockBytes + 1000)
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
  const [older = ''] = readdirSync(folder).filter(file => /^events-.*\.duckdb$/.test(file))
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
  const blocks = Math.floor((readFileSync(file).length - headerBytes) / blockBytes)
  t.ok(blocks >= 8, `${blocks} blocks`)
  // The middle blocks contain events. The engine reads the other blocks when it opens the file.
  for (let block = Math.floor(blocks / 4); block < (blocks * 3) / 4; block += 1) damageBlock(file, block)
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
