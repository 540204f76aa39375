import { paths } from '../../shared/paths.ts'

export type StayOpenOptions = {
  url: string
  headers: Record<string, string>
  /** When the command started, in milliseconds since 1970-01-01 UTC. */
  sinceMs: number
  printError: (line: string) => void
}

/** Keeps a server that this command started available after its input has ended, until Ctrl+C, SIGTERM or SIGHUP. */
export async function stayOpen({ url, headers, sinceMs, printError }: StayOpenOptions): Promise<void> {
  const stopped = new Promise<void>(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
  const failure = await newestFailure(url, headers, sinceMs)
  printError(
    failure === null
      ? `the input has ended; the console stays at ${url} until you press Ctrl+C`
      : `the input has ended; its last failure is at ${url}${paths.development({ failure })}; press Ctrl+C to stop the console`,
  )
  await stopped
}

/** Returns the fingerprint of the newest failure from standard input; `null` if there is none or it cannot be read. */
async function newestFailure(
  url: string,
  headers: Record<string, string>,
  sinceMs: number,
): Promise<string | null> {
  const q = 'source:stdin severity:>=error'
  const range = { fromMs: sinceMs, toMs: Date.now() + 1 }
  try {
    const response = await fetch(url + paths.export({ q, range, format: 'ndjson' }), {
      headers,
      signal: AbortSignal.timeout(5000),
    })
    if (!response.ok) return null
    const lines = (await response.text()).split('\n').filter(line => line !== '')
    return lines.map(line => fingerprintOf(JSON.parse(line))).find(each => each !== null) ?? null
  } catch {
    return null
  }
}

function fingerprintOf(event: unknown): string | null {
  const hasFingerprint = typeof event === 'object' && event !== null && 'fingerprint' in event
  return hasFingerprint && typeof event.fingerprint === 'string' ? event.fingerprint : null
}
