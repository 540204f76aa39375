import { paths, sentryPaths } from '../../shared/paths.ts'
import type { Snippet } from '../../shared/screens/development.ts'
import { jsQuote } from './js-quote.ts'
import { shellQuote } from './shell-quote.ts'
import type { DsnKey, SnippetTarget } from './snippet-target.ts'

/** Returns the snippets for clients of other products, whose protocols this server understands. */
export function protocolSnippets({ origin, requiresSignIn, dsnKeys, tokenNote }: SnippetTarget): Snippet[] {
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
      code: requiresSignIn ? dsnsOfTokens(origin, dsnKeys) : dsn(origin, 'sixpane'),
      note: `Change only the DSN. It ends with the name of the service and /1. ${requiresSignIn && dsnKeys.length === 0 ? 'Create a token in the settings, and this page shows its key in place of KEY. ' : ''}A key can only send events, so web applications may contain it; add their origins to SIXPANE_BROWSER_ORIGINS. To find failures by the digest that Next.js shows, add digestIntegration() from sixpane/sentry to the integrations. docs/sentry.md in Sixpane’s repository lists what is stored.`,
    },
    {
      id: 'loki',
      source: 'loki',
      title: 'Loki clients',
      language: 'js',
      code: lokiModule(origin, requiresSignIn),
      note: `Promtail, Alloy and the Docker driver: ${origin}${paths.lokiPush()}. Vector: ${origin}. Fluent Bit: ${fluentBit(origin)}. The service_name label (or app, job…) sets the service.${tokenNote}`,
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

/** Returns commands that set the DSN, one for each token. */
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
