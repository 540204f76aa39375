import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout } from 'node:timers/promises'
import {
  type Attributes,
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import { ownService } from '../../shared/event.ts'
import type { Logger } from '../logger.ts'
import { type Tracing, withHeaders } from './tracing.ts'

/** Time limit for the last export. The exporter's own limit exceeds that of the whole shutdown. */
const stopWithinMs = 1000

/**
 * Exports spans in batches. Names and attributes follow https://opentelemetry.io/docs/specs/semconv/http/http-spans/. The
 * exporter reads OpenTelemetry's environment variables, such as `OTEL_EXPORTER_OTLP_ENDPOINT` and
 * `OTEL_EXPORTER_OTLP_HEADERS`.
 */
export function exportSpans(version: string, logger: Pick<Logger, 'info' | 'warn'>): Tracing {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': ownService, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(reportProblems(new OTLPTraceExporter(), logger))],
  })
  const tracer = provider.getTracer(ownService, version)
  const propagator = new W3CTraceContextPropagator()
  const current = new AsyncLocalStorage<Context>()
  const start = (name: string, kind: SpanKind, parent: Context, attributes: Attributes = {}) => {
    const span = tracer.startSpan(name, { kind, attributes }, parent)
    return { span, context: trace.setSpan(ROOT_CONTEXT, span) }
  }
  const run = <T>({ span, context }: ReturnType<typeof start>, work: () => Promise<T>): Promise<T> =>
    current
      .run(context, work)
      .catch(markFailed(span))
      .finally(() => span.end())

  return {
    async span(name, work) {
      const parent = current.getStore() ?? ROOT_CONTEXT
      // Work that continues after a request, such as regrouping, no longer belongs to its trace.
      if (!trace.getSpan(parent)?.isRecording()) return work()
      return run(start(name, SpanKind.INTERNAL, parent), work)
    },
    startRequest({ method, route, path, headers }) {
      const caller = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      const { span, context } = start(`${method} ${route}`, SpanKind.SERVER, caller, {
        'http.request.method': method,
        'http.route': route,
        'url.path': path,
      })
      return {
        run: work => current.run(context, work),
        end(status) {
          if (status === null) setFailed(span, 'disconnected')
          else setStatus(span, status, 500)
          span.end()
        },
      }
    },
    async fetch(url, init) {
      // The path of a webhook is secret.
      const { hostname, port, protocol } = new URL(url)
      const started = start(init.method, SpanKind.CLIENT, current.getStore() ?? ROOT_CONTEXT, {
        'http.request.method': init.method,
        'server.address': hostname,
        'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      })
      const added: Record<string, string> = {}
      propagator.inject(started.context, added, defaultTextMapSetter)
      return run(started, async () => {
        const response = await fetch(url, withHeaders(init, added))
        setStatus(started.span, response.status, 400)
        return response
      })
    },
    stop: () => Promise.race([provider.shutdown(), setTimeout(stopWithinMs, undefined, { ref: false })]),
  }
}

/** Logs the first export that fails, and the first that succeeds after a failure. */
function reportProblems(exporter: SpanExporter, logger: Pick<Logger, 'info' | 'warn'>): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, result => {
        const { error } = result
        if (error !== undefined && !isFailing)
          logger.warn({ reason: error.message }, 'Failed to export spans: check OTEL_EXPORTER_OTLP_ENDPOINT')
        if (error === undefined && isFailing) logger.info('Exporting spans again')
        isFailing = error !== undefined
        // The error has been logged. If it were passed on, the shutdown would fail and log it again.
        done({ code: ExportResultCode.SUCCESS })
      }),
    shutdown: () => exporter.shutdown(),
  }
}

/** Records only the type of an error, because its message could contain stored data. */
function markFailed(span: Span): (error: unknown) => never {
  return error => {
    setFailed(span, error instanceof Error ? error.name : 'unknown')
    throw error
  }
}

function setStatus(span: Span, status: number, firstError: number): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= firstError) setFailed(span, String(status))
}

function setFailed(span: Span, errorType: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.setAttribute('error.type', errorType)
}
