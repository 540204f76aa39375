import { paths, sentryPaths } from '../../shared/paths.ts'
import type { Snippet } from '../../shared/screens/development.ts'
import { jsQuote } from './js-quote.ts'
import { shellQuote } from './shell-quote.ts'
import type { SnippetTarget } from './snippet-target.ts'

/** Returns the snippets for clients of other products, whose protocols this server understands. */
export function protocolSnippets(target: SnippetTarget): Snippet[] {
  const { origin, requiresSignIn, dsnKeys, tokenNote } = target
  return [
    {
      id: 'opentelemetry',
      source: 'otlp',
      title: 'OpenTelemetry',
      language: 'sh',
      code: openTelemetry(origin, requiresSignIn),
      note: `Accepts logs, and the requests and exceptions of traces, as protobuf or JSON over HTTP (not gRPC).${tokenNote}`,
    },
    {
      id: 'sentry',
      source: 'sentry',
      title: 'Applications with a Sentry SDK',
      language: 'sh',
      code: dsn(origin, requiresSignIn ? (dsnKeys[0]?.key ?? 'KEY') : 'sixpane'),
      note: `Change only the DSN. It ends with the name of the service and /1.${requiresSignIn ? keyNote(target) : ''} A key can only send events, so web applications may contain it; add their origins to SIXPANE_BROWSER_ORIGINS. To find failures by the digest that Next.js shows, add digestIntegration() from sixpane/sentry to the integrations. docs/sentry.md in Sixpane’s repository lists what is stored.`,
    },
    {
      id: 'loki',
      source: 'loki',
      title: 'Loki clients',
      language: 'js',
      code: lokiModule(origin, requiresSignIn),
      note: `Addresses: ${origin}${paths.lokiPush()} (Promtail, Alloy, Docker driver), ${origin} (Vector), ${fluentBit(origin)} (Fluent Bit). The service_name label (or app, job…) sets the service.${tokenNote}`,
    },
  ]
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

/** Returns sentences that say where a key is from. Names of tokens are only in the note, because a shell runs the code. */
function keyNote({ role, dsnKeys: [newest, ...others] }: Pick<SnippetTarget, 'role' | 'dsnKeys'>): string {
  if (newest === undefined)
    return role === 'admin'
      ? ' Create a token in the settings, and this page shows its key in place of KEY.'
      : ' Ask an administrator for the key of a token.'
  const listed = others.map(({ tokenName, key }) => `“${tokenName}” ${key}`).join(', ')
  return ` The key is from the token “${newest.tokenName}”.${listed && ` Keys of other tokens: ${listed}.`}`
}

function dsn(origin: string, key: string): string {
  return `export SENTRY_DSN=${shellQuote(sentryPaths.dsn(origin, key, 'my-service'))}`
}

/** Fluent Bit has a setting for each part of the URL. */
function fluentBit(origin: string): string {
  const [, secure, host = '', port = secure === undefined ? '80' : '443'] =
    /^http(s)?:\/\/\[?(.+?)\]?(?::(\d+))?$/.exec(origin) ?? []
  return `host ${host}, port ${port}${secure === undefined ? '' : ', tls on'}`
}

function lokiModule(origin: string, requiresSignIn: boolean): string {
  const login = requiresSignIn
    ? "\n    basicAuth: { username: 'sixpane', password: process.env.SIXPANE_TOKEN },"
    : ''
  return `import { pino } from 'pino'

const transport = pino.transport({
  target: 'pino-loki',
  options: {
    host: ${jsQuote(origin)},${login}
    labels: { service_name: 'my-service', version: '1.4.0' },
  },
})
export const logger = pino(transport)`
}
