import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { root } from '../prepare/root.mjs'

/** A server in its own process. */
export type Served = { origin: string; pid: number; stop: () => Promise<void> }

const running = new Set<ChildProcess>()

/** Starts a server. Resolves when it prints its origin. */
export async function serve(
  args: readonly string[],
  { cwd = root, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<Served> {
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let errorOutput = ''
  child.stderr.on('data', chunk => {
    errorOutput += chunk
  })
  const origin = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', line => {
      const match = /http:\/\/127\.0\.0\.1:\d+/.exec(line)
      if (match !== null) resolve(match[0])
    })
    child.once('exit', code => reject(new Error(`${args[0]} exited with code ${code}: ${errorOutput}`)))
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${args[0]} did not start`)
  return { origin, pid, stop: () => stop(child) }
}

/** Starts Sixpane with the store in a folder. */
export function serveSixpane(folder: string, env: Record<string, string> = {}): Promise<Served> {
  return serve(['dist/server/main.js'], { env: { PORT: '0', SIXPANE_DATA: folder, ...env } })
}

/** Stops every server that is still running. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(stop))
}

async function stop(child: ChildProcess): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  await once(child, 'exit')
}
