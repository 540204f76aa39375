import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Application } from './application.ts'
import { installApplication, installNode } from './install.ts'

/** A running application. */
export type Running = { origin: string; folder: string; stop(): Promise<void> }

const startTimeoutMs = 60_000

/**
 * Installs, builds and starts an application that reports to Sixpane.
 * @throws Error with the output, if the build fails or the server does not start
 */
export async function runApplication(
  application: Application,
  { sixpane, release, port }: { sixpane: string; release: string; port: number },
): Promise<Running> {
  const folder = await installApplication(application)
  const { HOME } = process.env
  const env = {
    PATH: await pathWithNode(application),
    HOME,
    ...application.env,
    PORT: String(port),
    SIXPANE_URL: sixpane,
    NEXT_PUBLIC_SIXPANE_URL: sixpane,
    VITE_SIXPANE_URL: sixpane,
    PUBLIC_SIXPANE_URL: sixpane,
  }
  // Only the build gets the release, because applications are often built on another machine.
  const build = run(application.build, folder, { ...env, SIXPANE_RELEASE: release })
  await build.exited
  if (build.child.exitCode !== 0) throw new Error(`The build failed:\n${build.output()}`)

  const pipe = `2>&1 | node node_modules/sixpane/dist/cli/main.js --service shop --release ${release}`
  const server = run(application.isPiped ? `${application.start} ${pipe}` : application.start, folder, env)
  const origin = `http://127.0.0.1:${port}`
  const deadlineMs = Date.now() + startTimeoutMs
  while (!(await responds(origin))) {
    if (server.child.exitCode !== null || Date.now() > deadlineMs) {
      await server.stop()
      throw new Error(`The server did not start:\n${server.output()}`)
    }
    await sleep(200)
  }
  return { origin, folder, stop: server.stop }
}

/** Returns the `PATH` with the version of Node that the application needs. */
async function pathWithNode({ node }: Application): Promise<string | undefined> {
  const { PATH } = process.env
  if (node === undefined) return PATH
  return [await installNode(node), PATH].join(delimiter)
}

/** Runs a shell command in its own process group, so that all its processes can be stopped. */
function run(command: string, cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(child, 'close')
  const stopGroup = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    } catch {
      // The processes have already ended.
    }
  }
  // Ctrl+C does not reach other process groups.
  process.once('exit', stopGroup)
  child.once('close', () => process.off('exit', stopGroup))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += String(chunk)
    })
  return {
    child,
    exited,
    output: () => output,
    async stop() {
      stopGroup()
      await exited
    },
  }
}

async function responds(origin: string): Promise<boolean> {
  try {
    const response = await fetch(origin)
    await response.arrayBuffer()
    return true
  } catch {
    return false
  }
}
