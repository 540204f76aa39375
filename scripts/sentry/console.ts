import { setTimeout as sleep } from 'node:timers/promises'
import { paths } from '../../shared/paths.ts'
import { type StartedServer, startServer } from '../test/server.ts'

/** An event in an export, reduced to the fields that the checks need. */
export type ExportedEvent = {
  service: string
  release?: string
  source: string
  message: string
  method?: string
  status?: number
  fingerprint?: string
  exception?: { type: string; message: string }
  attributes: Record<string, unknown>
}

/** A running Sixpane server that requires a password. */
export type Console = {
  server: StartedServer
  token: string
  /** Returns the DSN for a service, as shown on the page for connecting services. */
  dsn(service: string): string
  /** Repeats a search until it finds events. Returns an empty array after the timeout. */
  find(q: string): Promise<ExportedEvent[]>
  /** Returns the HTML of a page. */
  page(path: string): Promise<string>
}

const password = 'correct horse battery'
const headers = { authorization: `Basic ${Buffer.from(`sixpane:${password}`).toString('base64')}` }
const timeoutMs = 10_000

/** Starts Sixpane with a token. @param origin the origin of the pages that use a browser SDK */
export async function startConsole(origin: string): Promise<Console> {
  const server = await startServer({ SIXPANE_PASSWORD: password, SIXPANE_BROWSER_ORIGINS: origin })
  const page = async (path: string) => (await fetch(server.origin + path, { headers })).text()
  const made = await fetch(server.origin + paths.settings(), {
    method: 'POST',
    headers: { ...headers, origin: server.origin },
    body: new URLSearchParams({
      form: 'make-token',
      name: 'sentry',
      'scope-ingest': 'on',
      'scope-source-maps': 'on',
    }),
  })
  const [token] = /sxp_[\w-]+/.exec(await made.text()) ?? []
  const [shown] = /http:\/\/[\da-f]{32}@[^/]+/.exec(await page(paths.development({ view: 'connect' }))) ?? []
  if (token === undefined || shown === undefined) throw new Error('The pages show no token or no DSN')
  return {
    server,
    token,
    dsn: service => `${shown}/${service}/1`,
    page,
    async find(q) {
      const deadlineMs = Date.now() + timeoutMs
      while (Date.now() < deadlineMs) {
        const text = await page(paths.export({ q, format: 'ndjson' }))
        if (text !== '') return text.trim().split('\n').map(parseEvent)
        await sleep(100)
      }
      return []
    },
  }
}

function parseEvent(line: string): ExportedEvent {
  return JSON.parse(line)
}
