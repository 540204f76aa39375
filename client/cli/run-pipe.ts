import { basename } from 'node:path'
import { createSender } from '../sdk/sender.ts'
import { freePort, type LocalServer, whoListens } from './local-server.ts'
import { createPace } from './pace.ts'
import { packageName } from './package-name.ts'
import { pipe } from './pipe.ts'

export type RunPipeOptions = {
  service: string | null
  release: string | null
  /** Where Sixpane is; `null`: at its usual place on this machine, where one is started if there is none. */
  url: string | null
  token: string | undefined
  password: string | undefined
  /** Starts Sixpane on a port of this machine. */
  start: (port: number) => LocalServer
  /** The port on which it is looked for, and started. */
  port: number
  /** Tells the person at the terminal. */
  tell: (line: string) => void
}

/** Whoever waits for the end of a pipe waits no longer for a Sixpane that does not answer. */
const closeWithinMs = 30_000
/** What takes longer has to be told of. */
const longMs = 2000

/**
 * Sends standard input to Sixpane while it passes through, until it ends.
 * @returns the exit code: 1 where not everything was kept
 */
export async function runPipe(options: RunPipeOptions): Promise<number> {
  const { service, release, tell } = options
  const input = { hasEnded: false }
  readOnDespiteSignals(input)
  const { url, local } = await findSixpane(options)
  const sender = createSender({
    url,
    token: options.token,
    password: options.password,
    source: 'stdin',
    onProblem: tell,
  })
  const early = heldBack(line => sender.send(line))
  const start = local?.started.then(problem => {
    tell(problem === null ? `the console is at ${url}` : `it can't start, so nothing is kept: ${problem}`)
    early.letGo()
    return problem
  })
  if (local === null) early.letGo()

  await pipe({
    input: untilItBreaksOff(process.stdin),
    output: process.stdout,
    writer: {
      service: service ?? (await packageName(process.cwd())) ?? (basename(process.cwd()) || 'stdin'),
      release,
    },
    send: early.send,
    pace: createPace(withinMs => sender.flush(withinMs)),
  })
  input.hasEnded = true
  const hasFailed = typeof (await start) === 'string'
  const wait = `until everything is kept, at most ${closeWithinMs / 1000} seconds; Ctrl+C ends that`
  const telling = setTimeout(() => tell(`waiting ${wait}`), longMs)
  const { dropped } = await sender.close(hasFailed ? 0 : closeWithinMs)
  clearTimeout(telling)
  await local?.stop()
  if (dropped > 0) tell(`${dropped} ${dropped === 1 ? 'event was' : 'events were'} not kept`)
  return dropped > 0 ? 1 : 0
}

/**
 * Holds lines back while Sixpane starts: sent at once they would be refused, and tried again only after a while. What is
 * more than any program says in that time goes its usual way.
 */
function heldBack(send: (line: string) => void) {
  let held: string[] | null = []
  return {
    send: (line: string) => void (held !== null && held.length < 10_000 ? held.push(line) : send(line)),
    letGo() {
      for (const line of held ?? []) send(line)
      held = null
    },
  }
}

/** Where to send: to the Sixpane that was named, to the one that runs here, else to one that is started. */
async function findSixpane({
  url,
  port,
  start,
}: RunPipeOptions): Promise<{ url: string; local: LocalServer | null }> {
  if (url !== null) return { url, local: null }
  const usual = `http://127.0.0.1:${port}`
  const found = await whoListens(usual)
  if (found === 'sixpane') return { url: usual, local: null }
  // The usual port is the usual one of many servers, the one that writes these lines among them.
  const ownPort = found === 'nobody' ? port : await freePort()
  return { url: `http://127.0.0.1:${ownPort}`, local: start(ownPort) }
}

/**
 * Ctrl+C, and a terminal that is closed, reach what writes as well: what it still has to say is read to its end, and
 * from then on they end the wait. Who stops this process alone ends the input for it.
 */
function readOnDespiteSignals(input: { hasEnded: boolean }): void {
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (input.hasEnded) process.exit(1)
      if (signal === 'SIGTERM') process.stdin.destroy()
    })
  }
}

/** An input that fails has ended: what came until then is worth as much. */
async function* untilItBreaksOff(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* input
  } catch {}
}
