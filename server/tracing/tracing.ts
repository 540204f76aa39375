import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import { parseTraceparent } from '../../shared/traceparent.ts'

/**
 * Records Sixpane's work as OpenTelemetry spans, and passes the trace context of a request on to the services that Sixpane
 * calls.
 */
export type Tracing = {
  /** Runs work in a span, a child of the current one. Without a current span, only runs the work. */
  span<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Starts the span of a request, a child of the caller's span. */
  startRequest(request: TracedRequest): RequestSpan
  /** Sends an outgoing request in a span, with the headers `traceparent` and `tracestate`. */
  fetch: TracedFetch
  /** Exports the remaining spans. */
  stop(): Promise<void>
}

export type TracedRequest = { method: string; route: string; path: string; headers: IncomingHttpHeaders }

export type RequestSpan = {
  /** Runs a function, and everything that it starts, in the span. */
  run(work: () => void): void
  /** @param status `null` if the connection closed before the response was complete */
  end(status: number | null): void
}

export type TracedFetch = (url: string, init: RequestInit & { method: string }) => Promise<Response>

/**
 * Records no spans. An outgoing request gets the trace headers of the request that caused it, unchanged, as the specification
 * requires of a service that does not participate in traces: https://www.w3.org/TR/trace-context/#a-traceparent-is-received
 */
export function passOnTraces(): Tracing {
  const current = new AsyncLocalStorage<Record<string, string>>()
  return {
    span: (_name, work) => work(),
    startRequest({ headers }) {
      const trace = traceHeadersOf(headers)
      return { run: work => (trace === null ? work() : current.run(trace, work)), end: () => {} }
    },
    fetch: (url, init) => fetch(url, withHeaders(init, current.getStore() ?? {})),
    stop: async () => {},
  }
}

function traceHeadersOf({ traceparent, tracestate }: IncomingHttpHeaders): Record<string, string> | null {
  if (typeof traceparent !== 'string' || parseTraceparent(traceparent) === null) return null
  return typeof tracestate === 'string' ? { traceparent, tracestate } : { traceparent }
}

/** Adds headers to the options of an outgoing request. */
export function withHeaders<Init extends RequestInit>(init: Init, added: Record<string, string>): Init {
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(added)) headers.set(name, value)
  return { ...init, headers }
}
