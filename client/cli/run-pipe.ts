import { basename } from 'node:path'
import { createSender } from '../sdk/sender.ts'
import { createPost, type Post } from '../sdk/sender-post.ts'
import { createInputSignals } from './input-signals.ts'
import { freePort, type LocalServer, probeServer } from './local-server.ts'
import { createPace } from './pace.ts'
import { packageName } from './package-name.ts'
import { pipe } from './pipe.ts'
import { stayOpen } from './stay-open.ts'
import { onStopSignal } from './stop-signals.ts'

export type RunPipeOptions = {
  service: string | null
  release: string | null
  /** Sixpane's URL. If `null`, Sixpane on this machine is used, and started if necessary. */
  url: string | null
  token: string | undefined
  password: string | undefined
  /** Joins the server that another command started. */
  join: () => Promise<LocalServer | null>
  /** Starts Sixpane on a local port. */
  start: (port: number) => Promise<LocalServer>
  /** Sixpane's default port on this machine. */
  port: number
  /** Whether this command stays open after the input ends, so that the server that it started or joined keeps running. */
  staysOpen: boolean
  /** Authentication headers for requests that read events from Sixpane. */
  headers: Record<string, string>
  /** Prints a message on standard error. */
  printError: (line: string) => void
}

/** How long the command waits, after the input ends, for Sixpane to store the events. */
const closeTimeoutMs = 30_000
/** If the wait takes longer than this, a notice is printed. */
const noticeAfterMs = 2000

/**
 * Passes standard input through and sends it to Sixpane.
 * @returns the exit code: 1 if events or parts of the output were lost
 */
export async function runPipe(options: RunPipeOptions): Promise<number> {
  const { service, release, printError } = options
  const sinceMs = Date.now()
  const signals = createInputSignals({
    endInput: () => process.stdin.destroy(),
    exit: () => process.exit(1),
  })
  const ignoreSignals = onStopSignal(signals.handle)
  const server = await findOrStartServer(options)
  const ready = whenStarted(server, options)
  void ready.then(({ url, local, problem }) => {
    if (problem !== null) printError(`can't start, so no events are stored: ${problem}`)
    else if (local !== null) printError(`the console is at ${url}`)
  })
  const { token, password } = options
  const post = ready.then(({ url, problem }): Post => {
    if (problem === null) return createPost({ url, token, password, source: 'stdin' })
    // Another program may be listening on the port, so neither lines nor credentials are sent.
    return async () => ({ status: 'rejected', reason: problem })
  })
  const sender = createSender(
    { url: server.url, onProblem: printError },
    // Before Sixpane has started, a request would fail and be retried only after a delay.
    { post: async (body, signal) => (await post)(body, signal) },
  )

  let isOutputIncomplete = false
  let isRecordCut = false
  await pipe({
    input: untilReadFails(process.stdin),
    output: process.stdout,
    defaults: {
      service: service ?? (await packageName(process.cwd())) ?? (basename(process.cwd()) || 'stdin'),
      release,
    },
    send: line => sender.send(line),
    pace: createPace(withinMs => sender.flush(withinMs)),
    onOutputError: error => {
      isOutputIncomplete = true
      printError(`standard output is incomplete: ${error.message}`)
    },
    onCutRecord: () => {
      if (!isRecordCut)
        printError('JSON lines longer than 8 MiB are cut and stored as text, without their fields')
      isRecordCut = true
    },
  })
  signals.inputEnded()
  const { url, local, problem } = await ready
  const hasFailed = problem !== null
  const notice = `waiting up to ${closeTimeoutMs / 1000} seconds for all events to be stored; press Ctrl+C to stop waiting`
  const noticeTimer = setTimeout(() => printError(notice), noticeAfterMs)
  const { dropped } = await sender.close(hasFailed ? 0 : closeTimeoutMs)
  clearTimeout(noticeTimer)
  if (local !== null && options.staysOpen && !hasFailed && !signals.isInterrupted()) {
    ignoreSignals()
    await stayOpen({ url, headers: options.headers, sinceMs, serverEnded: local.ended, printError })
  }
  await local?.leave()
  if (dropped > 0) printError(`${dropped} ${dropped === 1 ? 'event was' : 'events were'} not stored`)
  return dropped > 0 || isOutputIncomplete || isRecordCut ? 1 : 0
}

/** A server. `local` is `null` unless this command started or joined it. */
type Server = { url: string; local: LocalServer | null }

/**
 * Waits until the server has started. If another process, such as the program whose output is piped in, has taken the port
 * since it was probed, starts the server on another port. If another command's server fails to start, joins or starts its
 * replacement.
 */
export async function whenStarted(
  server: Server,
  { join, start }: Pick<RunPipeOptions, 'join' | 'start'>,
): Promise<Server & { problem: string | null }> {
  const problem = (await server.local?.started) ?? null
  // The message is from server/main.ts.
  if (problem === null || !(server.local?.isJoined || problem.includes('is taken')))
    return { ...server, problem }
  const local = (await join()) ?? (await start(await freePort()))
  return { url: localUrl(local.port), local, problem: await local.started }
}

/** Returns the given URL, or Sixpane's URL on this machine. Starts Sixpane if necessary. */
async function findOrStartServer({ url, port, join, start }: RunPipeOptions): Promise<Server> {
  if (url !== null) return { url, local: null }
  const joined = await join()
  if (joined !== null) return { url: localUrl(joined.port), local: joined }
  const found = await probeServer(localUrl(port))
  if (found === 'sixpane') return { url: localUrl(port), local: null }
  // Another server may use the default port, possibly even the program whose output is piped in.
  const local = await start(found === 'none' ? port : await freePort())
  return { url: localUrl(local.port), local }
}

function localUrl(port: number): string {
  return `http://127.0.0.1:${port}`
}

/**
 * Treats a read error, which also follows a signal that ends the input, as the end of the input, so that the lines already
 * read are still sent.
 */
async function* untilReadFails(input: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* input
  } catch {}
}
