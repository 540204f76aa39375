// @ts-check
/**
 * `npm run dev`: serves Sixpane on PORT (default: 3000). When a source file changes, rebuilds Sixpane, restarts the server
 * and reloads the page in the browser.
 */
import './prepare/node.mjs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { root } from './prepare/root.mjs'
import { stopWithShell } from './prepare/shell.mjs'
import { prepareOrExit } from './prepare.mjs'

stopWithShell()
await prepareOrExit(undefined, { builds: false })
// A dynamic import, because the packages that the build needs may only just have been installed.
const { buildForDevelopment } = await import('./dev/build.mjs')

/** Debounces changes, because an editor saves a file in several steps. */
const debounceMs = 50
/** @type {import('node:child_process').ChildProcess | null} */
let server = null
/** @type {NodeJS.Timeout | undefined} */
let debounce
let updating = Promise.resolve()
let isStopping = false

const update = () => {
  updating = updating.then(buildAndRestart)
}
update()
for (const folder of ['client', 'server', 'shared']) {
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(debounce)
    debounce = setTimeout(update, debounceMs)
  })
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    isStopping = true
    void stopServer().then(() => process.exit(0))
  })
}

async function buildAndRestart() {
  try {
    await buildForDevelopment()
  } catch (error) {
    // esbuild's message contains the file and the line.
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
    return
  }
  await stopServer()
  if (isStopping) return
  server = spawn(process.execPath, [join(root, 'dist', 'server', 'main.js')], { stdio: 'inherit' })
}

async function stopServer() {
  if (server === null || server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
}
