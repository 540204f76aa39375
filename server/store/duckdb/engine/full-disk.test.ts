import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { sandboxProblem } from '../../../../scripts/test/sandbox.mjs'

/** Opens a store on a small disk. Random text does not compress, so a checkpoint needs more space than is free. */
const setup = `
  import { randomBytes } from 'node:crypto'
  import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
  import { anEvent, allEvents, noonMs, testWindow } from ${JSON.stringify(new URL('../../conformance/testing.ts', import.meta.url).href)}
  import { openDuckDbStore } from ${JSON.stringify(new URL('../store.ts', import.meta.url).href)}

  const [disk] = process.argv.slice(1)
  const folder = disk + '/data'
  const clock = { nowMs: noonMs }
  const warnings = []
  const logger = { info() {}, error() {}, warn: (_, message) => warnings.push(message ?? _) }
  // With this memory limit, DuckDB merges its log into the file when the log reaches 16 MiB.
  let store = await openDuckDbStore({ folder, logger, memoryBytes: 128 * 1024 ** 2, nowMs: () => clock.nowMs })

  const count = async () => {
    const buckets = await store.histogram({ window: testWindow, query: allEvents }, 7_200_000)
    return buckets.reduce((sum, { counts }) => sum + counts.info, 0)
  }
  let acknowledged = 0
  const events = () =>
    Array.from({ length: 500 }, () => anEvent({ timeMs: clock.nowMs, body: randomBytes(4_000).toString('hex') }))
  const append = async () => {
    acknowledged += (await store.append(events(), [String(acknowledged)])).length
  }
  const appendUntilFull = async () => {
    let failures = 0
    while (failures < 3) await append().catch(() => failures++)
  }
  const fill = bytes => writeFileSync(disk + '/ballast', Buffer.alloc(bytes))
  const fillCompletely = () => {
    try {
      fill(48_000_000)
    } catch {}
  }
  const print = result => console.log(JSON.stringify(result))
`

/** Runs statements after `setup` on a 48 MB disk. Returns what they print. */
async function runOnSmallDisk(t: Test, statements: string) {
  const disk = t.testdir()
  const sandbox = ['--dev-bind', '/', '/', '--size', '48000000', '--tmpfs', disk]
  const node = [process.execPath, '--import=tsx', '--input-type=module', '--eval', setup + statements, disk]
  const child = spawn('bwrap', [...sandbox, ...node], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(child, 'exit')
  const output = await text(child.stdout)
  t.same(await exit, [0, null])
  return JSON.parse(output)
}

const skip = (await sandboxProblem()) ?? false

/** Fills the disk until appends fail, frees space, then closes the store while the disk is full again. */
const appends = `
  const storedKeys = async () => {
    const keys = Array.from({ length: acknowledged / 500 }, (_, batch) => String(batch * 500))
    return (await store.claimRequests(keys)).filter(claim => claim === 'stored').length
  }
  const state = async () => ({ acknowledged, stored: await count() })

  fill(20_000_000)
  await appendUntilFull()
  const full = { ...(await state()), reopened: warnings.length }
  await store.check()
  rmSync(disk + '/ballast')
  for (let batches = 0; batches < 3; batches++) await append()
  const freed = await state()
  fill(5_000_000)
  await appendUntilFull()
  await store.close()
  rmSync(disk + '/ballast')
  store = await openDuckDbStore({ folder })
  const restarted = { ...(await state()), keys: await storedKeys() * 500 }
  await store.close()
  print({ full, freed, restarted })
`

t.test(
  'no events are lost or duplicated on a full disk, and the store recovers without a restart',
  { skip },
  async t => {
    const { full, freed, restarted } = await runOnSmallDisk(t, appends)
    t.ok(full.reopened > 0, 'a checkpoint failed, and the store was reopened')
    t.ok(full.acknowledged > 0)
    t.equal(full.stored, full.acknowledged, 'while the disk is full')
    t.equal(freed.acknowledged, full.acknowledged + 1500)
    t.equal(freed.stored, freed.acknowledged, 'after space was freed')
    t.equal(restarted.stored, restarted.acknowledged, 'after closing on a full disk')
    t.equal(restarted.keys, restarted.acknowledged, 'the idempotency key of each request is stored')
  },
)

/** Stores a segment for each of three days, and applies retention to the older two while the disk is completely full. */
const retention = `
  const dayMs = 86_400_000
  const retain = days => store.retain({ maxAgeMs: days * dayMs, maxBytes: 1e12 }, clock.nowMs)
  const stored = async () => (await store.stats()).events

  const [first] = await store.append([anEvent({ timeMs: noonMs })], [])
  await append()
  clock.nowMs += dayMs
  await store.append([anEvent({ timeMs: noonMs })], [])
  await append()
  clock.nowMs += dayMs
  await append()
  // These events stay in the write-ahead log of the first segment, because a full disk has no space for merging the log.
  await store.importEvents(events().map((event, index) => ({ ...event, id: first.id + 1000 + index })))
  fillCompletely()
  const map = { id: 'm', release: '1', path: 'main.js', debugId: null, service: null, uploadedMs: noonMs }
  await store.sourceMaps.put(map, Buffer.alloc(100_000), 1e9).catch(() => {})
  const files = readdirSync(folder + '/source-maps')
  const full = { files, stored: await stored(), append: await append().catch(error => error.message) }
  const dropped = await retain(1.5)
  await append()
  print({ full, dropped, left: await stored() })
  await store.close()
`

t.test('retention frees space on a full disk', { skip }, async t => {
  const { full, dropped, left } = await runOnSmallDisk(t, retention)
  t.same(full.files, [], 'a source map that cannot be stored leaves no file')
  t.match(full, { stored: 2002, append: /No space left/ })
  t.equal(dropped, 1002)
  t.equal(left, 1500, 'new events can be stored')
})

/** Starts a new segment when there is only space for the headers of its file. */
const rotation = `
  await append()
  clock.nowMs += 86_400_000
  fillCompletely()
  truncateSync(disk + '/ballast', statSync(disk + '/ballast').size - 12_288)
  const failed = []
  for (let attempt = 0; attempt < 2; attempt++) await append().catch(error => failed.push(error.message))
  rmSync(disk + '/ballast')
  await append().catch(error => failed.push(error.message))
  print({ failed, acknowledged, stored: (await store.stats()).events })
  await store.close()
`

t.test('if the disk is full, a new segment is created once there is space', { skip }, async t => {
  const { failed, acknowledged, stored } = await runOnSmallDisk(t, rotation)
  t.match(failed, [/No space left/, /No space left/])
  t.same({ acknowledged, stored }, { acknowledged: 1000, stored: 1000 })
})
