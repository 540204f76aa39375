import { Type } from 'typebox'
import { Value } from 'typebox/value'
import {
  type BrowserError,
  type BrowserReport,
  type BrowserVital,
  errorTriggers,
} from '../../../shared/browser-report.ts'
import { vitalNames } from '../../../shared/vitals.ts'

const text = Type.String({ maxLength: 30_000 })
const name = Type.String({ minLength: 1, maxLength: 200 })

const report = Type.Object({
  service: name,
  release: Type.Optional(name),
  path: text,
  route: Type.Optional(text),
  error: Type.Optional(
    Type.Object({
      trigger: Type.Enum(errorTriggers),
      type: text,
      message: text,
      stack: text,
      digest: Type.Optional(text),
      debugIds: Type.Optional(Type.Record(Type.String(), name, { maxProperties: 50 })),
      componentStack: Type.Optional(Type.String({ maxLength: 4000 })),
    }),
  ),
  vitals: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.Enum(vitalNames),
        value: Type.Number({ minimum: 0, maximum: 1e9 }),
        rating: Type.Union([Type.Literal('good'), Type.Literal('needs-improvement'), Type.Literal('poor')]),
        navigationType: Type.Union([
          Type.Literal('navigate'),
          Type.Literal('reload'),
          Type.Literal('back-forward'),
          Type.Literal('back-forward-cache'),
          Type.Literal('prerender'),
          Type.Literal('restore'),
        ]),
      }),
      { maxItems: 10 },
    ),
  ),
})

/** Parses and validates a report. Returns `null` if it is invalid. Drops unknown fields. */
export function readReport(body: string): BrowserReport | null {
  const parsed = parse(body)
  if (!Value.Check(report, parsed)) return null
  const { service, release, path, route, error, vitals } = parsed
  return { service, release, path: pathOf(path), route: route && pathOf(route), error, vitals }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** Removes the query and fragment, which may contain personal data. */
function pathOf(text: string): string {
  return text.replace(/[?#].*$/s, '').slice(0, 500)
}

/**
 * Converts a report to log records. Takes the origin and the browser from the request headers, because the report is
 * untrusted.
 */
export function recordsOf(
  { service, release, path, route, error, vitals = [] }: BrowserReport,
  { origin, userAgent }: { origin: string; userAgent: string | undefined },
): object[] {
  const common = {
    service,
    release,
    route: route ?? path,
    // https://opentelemetry.io/docs/specs/semconv/registry/attributes/
    'url.full': `${origin}${path}`,
    'user_agent.original': userAgent?.slice(0, 500),
  }
  const records = [
    ...(error === undefined ? [] : [errorRecord(error)]),
    ...vitals.map(vital => vitalRecord(vital, route ?? path)),
  ]
  return records.map(record => withoutUndefined({ ...common, ...record }))
}

/** Removes undefined values, because they would become attributes. */
function withoutUndefined(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}

function errorRecord(error: BrowserError): object {
  const { trigger, type, message, stack, digest, debugIds, componentStack } = error
  // A ResizeObserver loop is not a failure, because the browser only postpones notifications.
  if (message.startsWith('ResizeObserver loop')) return { level: 'debug', msg: message }
  const hint =
    message === 'Script error.' && stack === ''
      ? 'The script is from another origin. The browser hides the error unless the script is served with CORS headers and loaded with the crossorigin attribute'
      : undefined
  return {
    // React recovered, so the visitor saw no error.
    level: trigger === 'onRecoverableError' ? 'warn' : 'error',
    err: { type, message, stack: stack || undefined },
    digest,
    trigger,
    debugIds,
    componentStack,
    hint,
  }
}

/** https://opentelemetry.io/docs/specs/semconv/browser/events/ defines the event name, but no attributes yet. */
export function vitalRecord(
  { name, value, rating, ...rest }: Omit<BrowserVital, 'navigationType'> & Partial<BrowserVital>,
  route: string,
) {
  return {
    msg: `${name} ${name === 'CLS' ? value.toFixed(2) : formatMs(value)} on ${route}`,
    'event.name': 'browser.web_vital',
    // Round long fractions, because a search for a digest would find their digits.
    vital: { name, value: Number(value.toFixed(name === 'CLS' ? 4 : 1)), rating, ...rest },
  }
}

function formatMs(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}
