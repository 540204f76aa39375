import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { sandboxProblem } from '../../../../scripts/test/sandbox.mjs'

/**
 * Fills a small disk until appends fail, frees space, then closes the store while the disk is full again. Random text does
 * not compress, so a checkpoint needs more space than is free.
 */
const program = `
  import { randomBytes } from 'node:crypto'
  import { rmSync, writeFileSync } from 'node:fs'
  import { anEvent, allEvents, testWindow } from ${JSON.stringify(new URL('../../conformance/testing.ts', import.meta.url).href)}
  import { openDuckDbStore } from ${JSON.stringify(new URL('../store.ts', import.meta.url).href)}

  const [disk] = process.argv.slice(1)
  const folder = disk + '/data'
  const warnings = []
  const logger = { info() {}, error() {}, warn: (_, message) => warnings.push(message ?? _) }
  // With this memory limit, DuckDB merges its log into the file when the log reaches 16 MiB.
  let store = await openDuckDbStore({ folder, logger, memoryBytes: 128 * 1024 ** 2 })

  const count = async () => {
    const buckets = await store.histogram({ window: testWindow, query: allEvents }, 7_200_000)
    return buckets.reduce((sum, { counts }) => sum + counts.info, 0)
  }
  let acknowledged = 0
  const append = async () => {
    const batch = Array.from({ length: 500 }, () => anEvent({ body: randomBytes(200).toString('hex') }))
    acknowledged += (await store.append(batch, [String(acknowledged)])).length
  }
  const appendUntilFull = async () => {
    let failures = 0
    while (failures < 3) await append().catch(() => failures++)
  }
  const storedKeys = async () => {
    const keys = Array.from({ length: acknowledged / 500 }, (_, batch) => String(batch * 500))
    return (await store.claimRequests(keys)).filter(claim => claim === 'stored').length
  }
  const state = async () => ({ acknowledged, stored: await count() })
  const fill = bytes => writeFileSync(disk + '/ballast', Buffer.alloc(bytes))

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
  console.log(JSON.stringify({ full, freed, restarted }))
`

t.test(
  'a full disk causes no lost or duplicate events, and the store recovers without a restart',
  { skip: (await sandboxProblem()) ?? false },
  async t => {
    const disk = t.testdir()
    const sandbox = ['--dev-bind', '/', '/', '--size', '48000000', '--tmpfs', disk]
    const node = [process.execPath, '--import=tsx', '--input-type=module', '--eval', program, disk]
    const child = spawn('bwrap', [...sandbox, ...node], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exit = once(child, 'exit')
    const output = await text(child.stdout)
    t.same(await exit, [0, null])

    const { full, freed, restarted } = JSON.parse(output)
    t.ok(full.reopened > 0, 'a checkpoint failed, and the store was reopened')
    t.ok(full.acknowledged > 0)
    t.equal(full.stored, full.acknowledged, 'while the disk is full')
    t.equal(freed.acknowledged, full.acknowledged + 1500)
    t.equal(freed.stored, freed.acknowledged, 'after space was freed')
    t.equal(restarted.stored, restarted.acknowledged, 'after closing on a full disk')
    t.equal(restarted.keys, restarted.acknowledged, 'the idempotency key of each request is stored')
  },
)
