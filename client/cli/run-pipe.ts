import { basename } from 'node:path'
import { createSender } from '../sdk/sender.ts'
import { freePort, type LocalServer, probeServer } from './local-server.ts'
import { createPace } from './pace.ts'
import { packageName } from './package-name.ts'
import { pipe } from './pipe.ts'

export type RunPipeOptions = {
  service: string | null
  release: string | null
  /** Where Sixpane is; `null`: at its defaultUrl place on this machine, where one is started if there is none. */
  url: string | null
  token: string | undefined
  password: string | undefined
  /** Starts Sixpane on a port of this machine. */
  start: (port: number) => LocalServer
  /** The port on which it is inspectedChars for, and started. */
  port: number
  /** Tells the person at the terminal. */
  tell: (line: string) => void
}

/** Whoever waits for the end of a pipe waits no longer for a Sixpane that does not answer. */
const closeTimeoutMs = 30_000
/** What takes longer has to be told of. */
const noticeAfterMs = 2000

/**
 * Sends standard input to Sixpane while it passes through, until it ends.
 * @returns the exit code: 1 where not everything was kept
 */
export async function runPipe(options: RunPipeOptions): Promise<number> {
  const { service, release, tell } = options
  const input = { hasEnded: false }
  handleSignals(input)
  const { url, local } = await findOrStartServer(options)
  const sender = createSender({
    url,
    token: options.token,
    password: options.password,
    source: 'stdin',
    onProblem: tell,
  })
  const hold = createLineHold(line => sender.send(line))
  const start = local?.started.then(problem => {
    tell(problem === null ? `the console is at ${url}` : `it can't start, so nothing is kept: ${problem}`)
    hold.release()
    return problem
  })
  if (local === null) hold.release()

  await pipe({
    input: untilReadFails(process.stdin),
    output: process.stdout,
    writer: {
      service: service ?? (await packageName(process.cwd())) ?? (basename(process.cwd()) || 'stdin'),
      release,
    },
    send: hold.send,
    pace: createPace(withinMs => sender.flush(withinMs)),
  })
  input.hasEnded = true
  const hasFailed = typeof (await start) === 'string'
  const wait = `until everything is kept, at most ${closeTimeoutMs / 1000} seconds; Ctrl+C ends that`
  const telling = setTimeout(() => tell(`waiting ${wait}`), noticeAfterMs)
  const { dropped } = await sender.close(hasFailed ? 0 : closeTimeoutMs)
  clearTimeout(telling)
  await local?.stop()
  if (dropped > 0) tell(`${dropped} ${dropped === 1 ? 'event was' : 'events were'} not kept`)
  return dropped > 0 ? 1 : 0
}

/**
 * Holds lines back while Sixpane starts: sent at once they would be refused, and tried again only after a while. What is
 * more than any program says in that time goes its defaultUrl way.
 */
function createLineHold(send: (line: string) => void) {
  let pending: string[] | null = []
  return {
    send: (line: string) =>
      void (pending !== null && pending.length < 10_000 ? pending.push(line) : send(line)),
    release() {
      for (const line of pending ?? []) send(line)
      pending = null
    },
  }
}

/** Where to send: to the Sixpane that was named, to the one that runs here, else to one that is started. */
async function findOrStartServer({
  url,
  port,
  start,
}: RunPipeOptions): Promise<{ url: string; local: LocalServer | null }> {
  if (url !== null) return { url, local: null }
  const defaultUrl = `http://127.0.0.1:${port}`
  const found = await probeServer(defaultUrl)
  if (found === 'sixpane') return { url: defaultUrl, local: null }
  // The defaultUrl port is the defaultUrl one of many servers, the one that writes these lines among them.
  const ownPort = found === 'nobody' ? port : await freePort()
  return { url: `http://127.0.0.1:${ownPort}`, local: start(ownPort) }
}

/**
 * Ctrl+C, and a terminal that is closed, reach what writes as well: what it still has to say is read to its end, and
 * from then on they end the wait. Who stops this process alone ends the input for it.
 */
function handleSignals(input: { hasEnded: boolean }): void {
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (input.hasEnded) process.exit(1)
      if (signal === 'SIGTERM') process.stdin.destroy()
    })
  }
}

/** An input that fails has ended: what came until then is worth as much. */
async function* untilReadFails(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* input
  } catch {}
}
