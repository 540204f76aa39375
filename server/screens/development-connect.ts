import type { Snippet } from '../../shared/content.ts'
import { paths } from '../../shared/paths.ts'

/** The ways to send events to this very Sixpane, ready to paste. A password is named, never shown. */
export function connectSnippets(origin: string, isPasswordAsked: boolean): Snippet[] {
  const url = `${origin}${paths.ingest()}`
  const needsPassword = isPasswordAsked ? ' It needs the password in SIXPANE_PASSWORD.' : ''
  return [
    {
      id: 'curl',
      title: 'Try it: one failure by curl',
      language: 'sh',
      code: curl(
        url,
        isPasswordAsked,
        `'{"name":"hello","level":"error","msg":"a first failure","err":{"type":"Error","message":"tried by hand"}}'`,
      ),
      note: `The answer counts what was accepted.${needsPassword} From then on the failure is listed.`,
    },
    {
      id: 'pino',
      title: 'Node, with pino',
      language: 'js',
      code: pinoModule(url, isPasswordAsked),
      note: `Lines go to standard output as before, and here.${needsPassword} Log what was thrown as { err }: its stack tells one failure from another. A digest beside it makes the failure found by the number that a page shows.`,
    },
    {
      id: 'routes',
      title: 'Fastify: requests by route',
      language: 'js',
      code: fastifyHook,
      note: 'Any line with a status and a duration counts as a request on the dashboard; this one also says which route it was. With the option disableRequestLogging it takes the place of Fastify’s own two lines.',
    },
    {
      id: 'json',
      title: 'Any language: JSON',
      language: 'json',
      code: jsonArray,
      note: `POST it to ${url}: as one array, or one object a line (NDJSON); plain, or with Content-Encoding gzip. Every field is optional; those with other names are kept as attributes.`,
    },
    {
      id: 'file',
      title: 'A log file that is there already',
      language: 'sh',
      code: curl(url, isPasswordAsked, '@app.log'),
      note: 'Lines that are not JSON are counted and named in the answer by their number; the others are kept, at the time that they say.',
    },
  ]
}

function curl(url: string, isPasswordAsked: boolean, data: string): string {
  return [
    `curl ${shellQuoted(url)}`,
    ...(isPasswordAsked ? ['-u sixpane:"$SIXPANE_PASSWORD"'] : []),
    "-H 'content-type: application/x-ndjson'",
    `--data-binary ${data}`,
  ].join(' \\\n  ')
}

/** The host is what the visitor's request said it was: in quotes it can't say more. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function pinoModule(url: string, isPasswordAsked: boolean): string {
  const login = isPasswordAsked
    ? "\nconst login = Buffer.from('sixpane:' + process.env.SIXPANE_PASSWORD).toString('base64')"
    : ''
  const authorization = isPasswordAsked ? "\n  authorization: 'Basic ' + login," : ''
  return `import { Writable } from 'node:stream'
import { pino } from 'pino'

const url = ${JSON.stringify(url)}${login}
const headers = {
  'content-type': 'application/x-ndjson',${authorization}
}

// While one request is under way, lines gather, and leave together.
const sixpane = new Writable({
  decodeStrings: false,
  async writev(lines, done) {
    const body = lines.map(({ chunk }) => chunk).join('')
    const signal = AbortSignal.timeout(10_000)
    await fetch(url, { method: 'POST', headers, body, signal })
      .then(answer => answer.arrayBuffer())
      // Out of reach: standard output still has the lines.
      .catch(() => {})
    done()
  },
})

const streams = [{ stream: process.stdout }, { stream: sixpane }]
export const logger = pino({ name: 'my-service' }, pino.multistream(streams))`
}

const fastifyHook = `fastify.addHook('onResponse', (request, reply, done) => {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    },
    'answered',
  )
  done()
})`

const jsonArray = `[
  {
    "time": "2026-11-21T14:03:22.123Z",
    "service": "shop",
    "release": "1.4.0",
    "severity": "info",
    "message": "answered",
    "method": "GET",
    "route": "/cart/:id",
    "status": 200,
    "durationMs": 12.5,
    "requestId": "7f3a"
  },
  {
    "service": "shop",
    "severity": "error",
    "message": "payment failed",
    "requestId": "7f3b",
    "digest": "2338471",
    "exception": {
      "type": "PaymentError",
      "message": "card declined",
      "stack": "PaymentError: card declined\\n    at pay (/app/pay.js:18:9)"
    }
  }
]`
