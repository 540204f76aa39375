import { once } from 'node:events'
import { paths } from '../../shared/paths.ts'
import { stopSignals } from './stop-signals.ts'

export type StayOpenOptions = {
  url: string
  headers: Record<string, string>
  /** When the command started, in milliseconds since 1970-01-01 UTC. */
  sinceMs: number
  /** Resolves with the server's error output when the server has exited. */
  serverEnded: Promise<string>
  printError: (line: string) => void
}

/**
 * Waits after the end of the input, so that the server which this command started or joined keeps running. Resolves on
 * Ctrl+C, SIGTERM or SIGHUP, or when the server exits. Prints the URL of the newest failure, which another command that
 * shares the server may have sent, or else of the console.
 */
export async function stayOpen({
  url,
  headers,
  sinceMs,
  serverEnded,
  printError,
}: StayOpenOptions): Promise<void> {
  const waiting = new AbortController()
  const signals = stopSignals.map(name => once(process, name, { signal: waiting.signal }))
  const stopped = Promise.race([...signals, serverEnded])
  let errorOutput: string | null = null
  void serverEnded.then(output => {
    errorOutput = output
  })
  const failure = await newestFailure(url, headers, sinceMs)
  if (errorOutput === null)
    printError(
      failure === null
        ? `the input has ended; the console is available at ${url} until you press Ctrl+C`
        : `the input has ended; the newest failure is at ${url}${paths.development({ failure })}; press Ctrl+C to stop the console`,
    )
  await stopped
  waiting.abort()
  if (errorOutput !== null)
    printError(
      `the console has stopped; to see the stored events, start it again with npx --no-install sixpane${errorOutput && `\n${errorOutput}`}`,
    )
}

/** Returns the fingerprint of the newest failure from standard input; `null` if there is none or it cannot be read. */
async function newestFailure(
  url: string,
  headers: Record<string, string>,
  sinceMs: number,
): Promise<string | null> {
  const q = 'source:stdin severity:>=error fingerprint:*'
  const range = { fromMs: sinceMs, toMs: Date.now() + 1 }
  try {
    const response = await fetch(url + paths.export({ q, range, format: 'ndjson' }), {
      headers,
      signal: AbortSignal.timeout(5000),
    })
    return response.ok && response.body !== null ? fingerprintIn(await firstLine(response.body)) : null
  } catch {
    return null
  }
}

/** Reads the first line, which is the newest event, and then cancels the response. */
async function firstLine(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    const end = text.indexOf('\n')
    if (end !== -1) return text.slice(0, end)
  }
  return text
}

function fingerprintIn(line: string): string | null {
  const event: unknown = line === '' ? null : JSON.parse(line)
  const hasFingerprint = typeof event === 'object' && event !== null && 'fingerprint' in event
  return hasFingerprint && typeof event.fingerprint === 'string' ? event.fingerprint : null
}
