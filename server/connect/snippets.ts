import { paths, sentryPaths } from '../../shared/paths.ts'
import type { Snippet } from '../../shared/screens/development.ts'
import { shellQuote } from './shell-quote.ts'

/** The key of a token in a Sentry DSN. */
export type DsnKey = { tokenName: string; key: string }

/**
 * Returns snippets that send events to this server. They contain variables instead of passwords and tokens.
 * @param dsnKeys the keys of the tokens, if a token is required
 */
export function connectSnippets(
  origin: string,
  requiresSignIn: boolean,
  dsnKeys: readonly DsnKey[] = [],
): Snippet[] {
  const url = `${origin}${paths.ingest()}`
  const needsToken = requiresSignIn ? ' Requires a token from the settings in SIXPANE_TOKEN.' : ''
  return [
    {
      id: 'curl',
      source: 'ndjson',
      title: 'Try it: send a failure with curl',
      language: 'sh',
      code: curl(
        url,
        requiresSignIn,
        `'{"name":"hello","level":"error","msg":"my first failure","err":{"type":"Error","message":"sent with curl"}}'`,
      ),
      note: `The response contains the number of accepted events.${needsToken} The failure then appears in the list of failures.`,
    },
    {
      id: 'stdin',
      source: 'stdin',
      title: 'In development: the output of a program',
      language: 'sh',
      code: `node app.js 2>&1 | SIXPANE_URL=${shellQuote(origin)} npx --no-install sixpane --service my-service`,
      note: `Accepts JSON and plain text, joins the lines of a stack trace, and prints everything in your terminal unchanged.${needsToken}`,
    },
    {
      id: 'pino',
      source: 'ndjson',
      title: 'Node.js with pino',
      language: 'js',
      code: pinoModule(origin),
      note: `Lines still go to standard output. A worker thread also sends them here in batches, and retries without storing a line twice.${needsToken} Log exceptions as { err }, so that failures are grouped by their stack.`,
    },
    {
      id: 'routes',
      source: null,
      title: 'Fastify: trace IDs and requests by route',
      language: 'js',
      code: fastifyHook,
      note: 'The plugin gives all lines of a request a trace id, and each failure an id that the visitor sees. Any line with a status and a duration counts as a request on the dashboard; the hook adds the route. Leave Fastify’s request logging on, because it logs the failures.',
    },
    {
      id: 'express',
      source: 'ndjson',
      title: 'Express: failures with an ID for the visitor',
      language: 'js',
      code: expressMiddleware(origin),
      note: `Add this after all routes. It reports every failure, and sends the visitor the status and an id to paste into the search box. If the application has its own error page, use reportTo from the same module, and show res.locals.digest. Modules for React Router, TanStack Start, SvelteKit, Nuxt and Astro are described in docs/frameworks.md in Sixpane’s repository.${needsToken}`,
    },
    {
      id: 'next-config',
      source: null,
      title: 'Next.js, step 1: next.config.mjs',
      language: 'js',
      code: nextConfig(origin),
      note: `Uploads the source maps of each production build without publishing them, and sets the release of all events. If Sixpane is unreachable, the build prints a warning and continues.${needsToken}`,
    },
    {
      id: 'next',
      source: 'ndjson',
      title: 'Next.js, step 2: instrumentation.ts',
      language: 'ts',
      code: nextModule(origin),
      note: `Reports every failure of a page, route handler or server action, with the digest that the visitor saw. Next.js does not report failures of proxy.ts: wrap its function with reportProxy from the same module. Then build and start the application, and paste the digest of a failure into the search box.${needsToken}`,
    },
    {
      id: 'opentelemetry',
      source: 'otlp',
      title: 'OpenTelemetry',
      language: 'sh',
      code: openTelemetry(origin, requiresSignIn),
      note: `Accepts logs, and the requests and exceptions of traces, as protobuf or JSON over HTTP (not gRPC).${needsToken}`,
    },
    {
      id: 'sentry',
      source: 'sentry',
      title: 'Applications with a Sentry SDK',
      language: 'sh',
      code: requiresSignIn ? dsnsOfTokens(origin, dsnKeys) : dsn(origin, 'sixpane'),
      note: `Change only the DSN. It ends with the name of the service and /1. ${requiresSignIn && dsnKeys.length === 0 ? 'Create a token in the settings, and this page shows its key in place of KEY. ' : ''}A key can only send events, so web applications may contain it; add their origins to SIXPANE_BROWSER_ORIGINS. To find failures by the digest that Next.js shows, add digestIntegration() from sixpane/sentry to the integrations. docs/sentry.md in Sixpane’s repository lists what is stored.`,
    },
    {
      id: 'loki',
      source: 'loki',
      title: 'Loki clients',
      language: 'js',
      code: lokiModule(origin, requiresSignIn),
      note: `Change only the URL: in Promtail, Alloy, Fluent Bit, Vector or the Docker driver, set it to ${origin}${paths.lokiPush()}. The label service_name (or service, app, job…) sets the service.${needsToken}`,
    },
    {
      id: 'browser',
      source: 'browser',
      title: 'Browser errors and Web Vitals',
      language: 'js',
      code: browserModule(origin),
      note: 'Reports uncaught exceptions, unhandled rejections and Web Vitals. In a Next.js application with withSixpane, the release is process.env.SIXPANE_RELEASE. In error.tsx, global-error.tsx and catch blocks, call report(error), because frameworks catch these errors. The script is smaller than 3 KiB (brotli). Add the application’s origin to SIXPANE_BROWSER_ORIGINS; visitors do not need a password.',
    },
    {
      id: 'sourcemaps',
      source: null,
      title: 'Source maps for a release',
      language: 'sh',
      code: `SIXPANE_URL=${shellQuote(origin)} npx --no-install sixpane sourcemaps upload --release 1.4.0 --service my-service dist/`,
      note: `Run this command after each build, with the release and service of the events. Stack traces of minified code then show the original source. Builds with withSixpane (Next.js) or sixpane/vite do this automatically.${needsToken}`,
    },
    {
      id: 'json',
      source: 'ndjson',
      title: 'Any language: JSON',
      language: 'json',
      code: jsonArray,
      note: `POST events to ${url}, as an array or one object per line (NDJSON), optionally with Content-Encoding: gzip. Every field is optional; other fields are stored as attributes.`,
    },
    {
      id: 'file',
      source: null,
      title: 'An existing log file',
      language: 'sh',
      code: curl(url, requiresSignIn, '@app.log'),
      note: 'Lines that are not JSON are counted and listed by number in the response. The others are stored with their own timestamps.',
    },
  ]
}

function curl(url: string, requiresSignIn: boolean, data: string): string {
  return [
    `curl ${shellQuote(url)}`,
    ...(requiresSignIn ? ['-H "authorization: Bearer $SIXPANE_TOKEN"'] : []),
    "-H 'content-type: application/x-ndjson'",
    `--data-binary ${data}`,
  ].join(' \\\n  ')
}

function pinoModule(origin: string): string {
  return `import 'sixpane/request-ids' // adds the request’s trace id to each line
import { pino } from 'pino'

const transport = pino.transport({
  targets: [
    { target: 'pino/file' }, // standard output
    { target: 'sixpane/pino', options: { url: ${quoted(origin)} } },
  ],
})
export const logger = pino({ name: 'my-service' }, transport)`
}

function expressMiddleware(origin: string): string {
  return `import sixpane from 'sixpane/express'

app.use(sixpane({ url: ${quoted(origin)}, service: 'my-service', release: '1.4.0' }))`
}

function nextConfig(origin: string): string {
  return `import { withSixpane } from 'sixpane/next/config'

const nextConfig = {}
export default withSixpane(nextConfig, { url: ${quoted(origin)}, service: 'my-app' })`
}

function nextModule(origin: string): string {
  return `import { reportTo } from 'sixpane/next'

export const onRequestError = reportTo({ url: ${quoted(origin)}, service: 'my-app' })`
}

/** Header values use the baggage format, without spaces: https://opentelemetry.io/docs/specs/otel/protocol/exporter/ */
function openTelemetry(origin: string, requiresSignIn: boolean): string {
  return [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${shellQuote(origin)}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf',
    ...(requiresSignIn ? ['export OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20$SIXPANE_TOKEN"'] : []),
    'export OTEL_LOGS_EXPORTER=otlp OTEL_TRACES_EXPORTER=otlp OTEL_METRICS_EXPORTER=none',
    'export OTEL_SERVICE_NAME=my-service OTEL_RESOURCE_ATTRIBUTES=service.version=1.4.0',
  ].join('\n')
}

/** The DSN of each token. */
function dsnsOfTokens(origin: string, keys: readonly DsnKey[]): string {
  if (keys.length === 0) return dsn(origin, 'KEY')
  return keys.map(({ tokenName, key }) => `# Token: ${oneLine(tokenName)}\n${dsn(origin, key)}`).join('\n')
}

function dsn(origin: string, key: string): string {
  return `export SENTRY_DSN=${shellQuote(sentryPaths.dsn(origin, key, 'my-service'))}`
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ')
}

function lokiModule(origin: string, requiresSignIn: boolean): string {
  const login = requiresSignIn
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

const fastifyHook = `import sixpane from 'sixpane/fastify'

fastify.register(sixpane)
fastify.addHook('onResponse', (request, reply, done) => {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      durationMs: reply.elapsedTime,
    },
    'request completed',
  )
  done()
})`

const jsonArray = `[
  {
    "time": "2026-11-21T14:03:22.123Z",
    "service": "shop",
    "release": "1.4.0",
    "severity": "info",
    "message": "request completed",
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
