import { fieldAliases, type QueryField, queryFields } from './query.ts'

const fields: Record<QueryField, { meaning: string; example: string }> = {
  severity: { meaning: 'trace, debug, info, warn, error or fatal', example: 'severity:>=warn' },
  service: { meaning: 'who wrote the event', example: 'service:checkout' },
  release: { meaning: 'version of the writer', example: 'release:1.4.*' },
  source: { meaning: 'the way in: own, ndjson, otlp, loki, stdin or browser', example: 'source:browser' },
  route: { meaning: 'route template of the request', example: 'route:/api/*' },
  method: { meaning: 'HTTP method', example: 'method:post' },
  status: { meaning: 'HTTP status', example: 'status:5xx' },
  duration: { meaning: 'milliseconds, or with a unit: ms, s, min, h', example: 'duration:>1.5s' },
  message: { meaning: 'the message as a whole', example: 'message:"request completed"' },
  digest: { meaning: 'what a failure page showed', example: 'digest:2338471094' },
  fingerprint: { meaning: 'the failure that it belongs to', example: 'fingerprint:a41c09be72' },
  failure: { meaning: 'its failure is open, resolved or muted', example: 'failure:open' },
  request: { meaning: 'request id', example: 'request:req-8c1f' },
  trace: { meaning: 'trace id', example: 'trace:4bf92f3577b34da6a3ce929d0e0e4736' },
  span: { meaning: 'span id', example: 'span:00f067aa0ba902b7' },
  exception: { meaning: 'type or message of what was thrown', example: 'exception:TypeError' },
}

/** Each field of the search language: its meaning, its other names and an example. */
export const fieldHelp: readonly {
  field: QueryField
  meaning: string
  aliases: string[]
  example: string
}[] = queryFields.map(field => ({
  field,
  ...fields[field],
  aliases: [...fieldAliases].filter(([, of]) => of === field).map(([alias]) => alias),
}))
