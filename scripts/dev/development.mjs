// @ts-check
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { root } from '../prepare/root.mjs'
import { unstampBuilt } from '../prepare/sources.mjs'
import { createBuilder } from './builder.mjs'
import { createChild } from './child.mjs'
import { createProxy } from './proxy.mjs'

/** An editor saves in several steps (a new file, its content, its name), which are one change. */
const settleMs = 15

/** @param {string} line */
const tell = line => process.stderr.write(`  ${line}\n`)

/**
 * Serves Sixpane on `port` of this machine alone until it is told to stop.
 * @param {number} port
 */
export async function startDevelopment(port) {
  await unstampBuilt()
  const builder = await createBuilder()
  const child = await createChild()
  /** Whether the server listens; unsettled while it starts anew, and then requests wait for it. */
  let listening = Promise.resolve(false)
  const proxy = createProxy({ port: child.port, ready: () => listening })

  const update = oneAtATime(async () => {
    const startedMs = performance.now()
    const outcome = await builder.build()
    if ('problem' in outcome) tell(outcome.problem)
    if (!('changed' in outcome) || !outcome.changed) return
    listening = child.stop().then(() => child.start(outcome.packages))
    const isUp = await listening
    proxy.reload()
    tell(
      isUp
        ? `Updated in ${Math.round(performance.now() - startedMs)} ms`
        : 'The server ended: waiting for a change',
    )
  })

  await update()
  proxy.server.listen(port, '127.0.0.1')
  await once(proxy.server, 'listening')
  tell(`Sixpane is at http://127.0.0.1:${port}, and follows what changes`)

  /** @type {NodeJS.Timeout | undefined} */
  let settling
  // esbuild's own watch looks at the files in turns and sees a change only after up to two seconds
  // (https://esbuild.github.io/api/#watch).
  const watchers = ['client', 'server', 'shared'].map(folder =>
    watch(join(root, folder), { recursive: true }, () => {
      clearTimeout(settling)
      settling = setTimeout(() => void update(), settleMs)
    }),
  )

  const stop = async () => {
    clearTimeout(settling)
    for (const watcher of watchers) watcher.close()
    proxy.close()
    await child.close()
    await builder.dispose()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop())
}

/**
 * Runs work once at a time; a call while it runs makes it run once more afterwards.
 * @param {() => Promise<void>} work
 * @returns {() => Promise<void>}
 */
function oneAtATime(work) {
  let running = false
  let again = false
  return async () => {
    again = true
    if (running) return
    running = true
    while (again) {
      again = false
      await work()
    }
    running = false
  }
}
