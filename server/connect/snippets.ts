import { paths } from '../../shared/paths.ts'
import type { Snippet } from '../../shared/screens/development.ts'

/** Snippets for sending events to this Sixpane. They refer to passwords and tokens by variable, never by value. */
export function connectSnippets(origin: string, isPasswordAsked: boolean): Snippet[] {
  const url = `${origin}${paths.ingest()}`
  const needsPassword = isPasswordAsked ? ' It needs the password in SIXPANE_PASSWORD.' : ''
  // Services should use a token: it gives no access to screens and can be revoked individually.
  const needsToken = isPasswordAsked ? ' It needs a token of the settings in SIXPANE_TOKEN.' : ''
  return [
    {
      id: 'curl',
      source: 'ndjson',
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
      id: 'stdin',
      source: 'stdin',
      title: 'At your desk: what a process prints',
      language: 'sh',
      code: `node app.js 2>&1 | SIXPANE_URL=${shellQuoted(origin)} npx sixpane --service my-service`,
      note: `Lines of JSON and of plain text, stacks over several lines put together; all of it still reaches your terminal, unchanged.${needsToken}`,
    },
    {
      id: 'pino',
      source: 'ndjson',
      title: 'Node, with pino',
      language: 'js',
      code: pinoModule(origin),
      note: `Lines go to standard output as before, and here, from a thread of their own: batched, retried, kept once, never in the way.${needsToken} Log what was thrown as { err }: its stack tells one failure from another.`,
    },
    {
      id: 'routes',
      source: null,
      title: 'Fastify: requests by route',
      language: 'js',
      code: fastifyHook,
      note: 'Any line with a status and a duration counts as a request on the dashboard; this one also says which route it was. It comes beside Fastify’s own two lines; those tell of failures, so leave them on.',
    },
    {
      id: 'next',
      source: 'ndjson',
      title: 'Next.js: instrumentation.ts',
      language: 'ts',
      code: nextModule(origin),
      note: `Every failure of a page, a route handler or a server action, with the digest that its visitor saw.${needsToken}`,
    },
    {
      id: 'opentelemetry',
      source: 'otlp',
      title: 'Anything that speaks OpenTelemetry',
      language: 'sh',
      code: openTelemetry(origin, isPasswordAsked),
      note: `Logs, and of traces the requests and what was thrown in them, as protobuf or JSON over HTTP (not gRPC).${needsToken}`,
    },
    {
      id: 'loki',
      source: 'loki',
      title: 'Clients of Loki',
      language: 'js',
      code: lokiModule(origin, isPasswordAsked),
      note: `Another address is all: Promtail, Alloy, Fluent Bit, Vector and the Docker driver push to ${origin}${paths.lokiPush()}. The label service_name (or service, app, job…) names the service.${needsToken}`,
    },
    {
      id: 'browser',
      source: 'browser',
      title: 'What visitors’ browsers meet',
      language: 'js',
      code: browserModule(origin),
      note: 'Uncaught exceptions, unhandled rejections and Web Vitals, in less than 3 KiB (brotli). The origin of the application must be one of SIXPANE_BROWSER_ORIGINS; no visitor needs a password.',
    },
    {
      id: 'sourcemaps',
      source: null,
      title: 'Source maps of a release',
      language: 'sh',
      code: `SIXPANE_URL=${shellQuoted(origin)} npx sixpane sourcemaps upload --release 1.4.0 --service my-service dist/`,
      note: `After each build, with the release and the service that the events name: stacks of minified code then lead to the line of source.${needsToken}`,
    },
    {
      id: 'json',
      source: 'ndjson',
      title: 'Any language: JSON',
      language: 'json',
      code: jsonArray,
      note: `POST it to ${url}: as one array, or one object a line (NDJSON); plain, or with Content-Encoding gzip. Every field is optional; those with other names are kept as attributes.`,
    },
    {
      id: 'file',
      source: null,
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

/** Quotes the origin, because its host comes from the visitor's request and is untrusted. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function pinoModule(origin: string): string {
  return `import { pino } from 'pino'

const transport = pino.transport({
  targets: [
    { target: 'pino/file' }, // standard output
    { target: 'sixpane/pino', options: { url: ${quoted(origin)} } },
  ],
})
export const logger = pino({ name: 'my-service' }, transport)`
}

function nextModule(origin: string): string {
  return `import { reportTo } from 'sixpane/next'

export const onRequestError = reportTo({ url: ${quoted(origin)}, service: 'my-app' })`
}

/** Header values use the baggage format, without spaces: https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
function openTelemetry(origin: string, isPasswordAsked: boolean): string {
  return [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${shellQuoted(origin)}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    ...(isPasswordAsked ? ['export OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20$SIXPANE_TOKEN"'] : []),
    'export OTEL_LOGS_EXPORTER=otlp OTEL_TRACES_EXPORTER=otlp OTEL_METRICS_EXPORTER=none',
    'export OTEL_SERVICE_NAME=my-service OTEL_RESOURCE_ATTRIBUTES=service.version=1.4.0',
  ].join('\n')
}

function lokiModule(origin: string, isPasswordAsked: boolean): string {
  const login = isPasswordAsked
    ? "\n    basicAuth: { username: 'sixpane', password: process.env.SIXPANE_TOKEN },"
    : ''
  return `import { pino } from 'pino'

const transport = pino.transport({
  target: 'pino-loki',
  options: {
    host: ${quoted(origin)},${login}
    labels: { service_name: 'my-service', version: '1.4.0' },
  },
})
export const logger = pino(transport)`
}

function browserModule(origin: string): string {
  return `import { watch } from 'sixpane/browser'

watch({ url: ${quoted(origin)}, service: 'my-app-web', release: '1.4.0' })`
}

/** Quotes a string for JavaScript. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
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
