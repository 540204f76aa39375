import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import t from 'tap'
import { allEvents, testWindow } from '../../conformance/testing.ts'
import { openDuckDbStore } from '../store.ts'

const batch = 50

/** Appends numbered events until it is killed, and prints the number of acknowledged events after each batch. */
const program = `
  import { anEvent } from ${JSON.stringify(new URL('../../conformance/testing.ts', import.meta.url).href)}
  import { openDuckDbStore } from ${JSON.stringify(new URL('../store.ts', import.meta.url).href)}
  const store = await openDuckDbStore({ folder: process.argv[1] })
  for (let next = Number(process.argv[2]); ; next += ${batch}) {
    await store.append(Array.from({ length: ${batch} }, (_, index) => anEvent({ body: String(next + index) })))
    process.stdout.write(next + ${batch} + '\\n')
  }
`

t.test('killing the process neither loses nor duplicates acknowledged events', async t => {
  const folder = t.testdir()
  let acknowledged = 0
  for (const batches of [1, 20]) {
    const child = spawn(
      process.execPath,
      ['--import=tsx', '--input-type=module', '--eval', program, folder, String(acknowledged)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    const exit = once(child, 'exit')
    let seen = 0
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged = Number(line)
      // Keeps reading after the kill, because the pipe may still contain counts of acknowledged events.
      if (++seen === batches) child.kill('SIGKILL')
    }
    t.same(await exit, [null, 'SIGKILL'])

    const store = await openDuckDbStore({ folder })
    const stored: number[] = []
    let before: string | undefined
    do {
      const page = await store.events({ window: testWindow, query: allEvents, limit: 5000, before })
      stored.push(...page.events.map(({ body }) => Number(body)))
      before = page.older ?? undefined
    } while (before !== undefined)
    stored.sort((a, b) => a - b)
    t.ok(stored.length >= acknowledged, `${stored.length} stored of ${acknowledged} acknowledged`)
    t.equal(stored.length % batch, 0, 'whole batches')
    t.same(
      stored,
      Array.from({ length: stored.length }, (_, index) => index),
    )
    acknowledged = stored.length
    await store.close()
  }
})
