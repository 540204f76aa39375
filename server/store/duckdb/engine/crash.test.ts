import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { anything, everything } from '../../conformance/place.ts'
import { openDuckDbStore } from '../store.ts'

const batch = 50

/** Appends numbered events without end, and says of each batch that it was acknowledged. */
const program = `
  import { anEvent } from ${JSON.stringify(new URL('../../conformance/place.ts', import.meta.url).href)}
  import { openDuckDbStore } from ${JSON.stringify(new URL('../store.ts', import.meta.url).href)}
  const store = await openDuckDbStore({ folder: process.argv[1] })
  for (let next = Number(process.argv[2]); ; next += ${batch}) {
    await store.append(Array.from({ length: ${batch} }, (_, index) => anEvent({ body: String(next + index) })))
    process.stdout.write(next + ${batch} + '\\n')
  }
`

t.test('loses nothing that was acknowledged, and doubles nothing, when the process is killed', async t => {
  const folder = t.testdir()
  let acknowledged = 0
  for (const batches of [1, 40, 15]) {
    const child = spawn(
      process.execPath,
      ['--import=tsx', '--input-type=module', '--eval', program, folder, String(acknowledged)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const exit = once(child, 'exit')
    let seen = 0
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line)
      // What was acknowledged between the kill and the end still comes through the pipe, and counts.
      if (++seen === batches) child.kill('SIGKILL')
    }
    t.same(await exit, [null, 'SIGKILL'])

    const store = await openDuckDbStore({ folder })
    const kept: number[] = []
    let before: string | undefined
    do {
      const page = await store.events({ window: everything, query: anything, limit: 5000, before })
      kept.push(...page.events.map(({ body }) => Number(body)))
      before = page.older ?? undefined
    } while (before !== undefined)
    kept.sort((a, b) => a - b)
    t.ok(kept.length >= acknowledged, `${kept.length} kept of ${acknowledged}`)
    t.equal(kept.length % batch, 0, 'whole batches')
    t.same(
      kept,
      Array.from({ length: kept.length }, (_, index) => index),
    )
    acknowledged = kept.length
    await store.close()
  }
})
