import { eventSources } from './event.ts'
import { fieldNames, type QueryField } from './query.ts'
import { severities } from './severity.ts'

const fields: Record<QueryField, { meaning: string; example: string }> = {
  severity: { meaning: anyOf(severities), example: 'severity:>=warn' },
  service: { meaning: 'service that sent the event', example: 'service:checkout' },
  release: { meaning: 'release of the service', example: 'release:1.4.*' },
  source: { meaning: `how the event arrived: ${anyOf(eventSources)}`, example: 'source:browser' },
  route: { meaning: 'route template of the request', example: 'route:/api/*' },
  method: { meaning: 'HTTP method', example: 'method:post' },
  status: { meaning: 'HTTP status', example: 'status:5xx' },
  duration: { meaning: 'in milliseconds, or with a unit: ms, s, min, h', example: 'duration:>1.5s' },
  message: { meaning: 'the whole message', example: 'message:"request completed"' },
  digest: { meaning: 'digest that an error page showed', example: 'digest:2338471094' },
  fingerprint: { meaning: 'fingerprint of the exception', example: 'fingerprint:a41c09be72' },
  failure: { meaning: 'state (open, resolved, muted) or ID of the failure', example: 'failure:open' },
  request: { meaning: 'request ID', example: 'request:req-8c1f' },
  trace: { meaning: 'trace ID', example: 'trace:4bf92f3577b34da6a3ce929d0e0e4736' },
  span: { meaning: 'span ID', example: 'span:00f067aa0ba902b7' },
  exception: { meaning: 'type or message of the exception', example: 'exception:TypeError' },
}

/** The fields of the search language, with their meanings, aliases and examples. */
export const fieldHelp: readonly {
  field: QueryField
  meaning: string
  aliases: string[]
  example: string
}[] = fieldNames.map(([field, ...aliases]) => ({ field, ...fields[field], aliases }))

export const queryFields = fieldHelp.map(({ field }) => field)

/** Joins words: `a, b or c`. */
function anyOf(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
