import { Readable } from 'node:stream'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { attributesOf, parseColumns } from '../../../shared/columns.ts'
import type { LogEvent } from '../../../shared/event.ts'
import { type ExportFormat, exportFormats, maxExportedEvents } from '../../../shared/export-format.ts'
import { invalidRangeOf, parseRange } from '../../../shared/parse-range.ts'
import { paths } from '../../../shared/paths.ts'
import { preferencesOf } from '../../../shared/preferences.ts'
import { visibleStore } from '../../auth/visible-store.ts'
import type { Context } from '../../context.ts'
import { attachmentHeaders } from '../../http/attachment.ts'
import { HttpError } from '../../http/http-error.ts'
import { onceClosed } from '../../http/once-closed.ts'
import { searchParamsOf } from '../../http/request-url.ts'
import { readAccess, userOf } from '../../http/route-access.ts'
import { routeDependencies } from '../../http/route-dependencies.ts'
import { withoutOwnEvents } from '../../query/own-events.ts'
import { parseQuery } from '../../query/parse.ts'
import { windowOf } from '../../screens/buckets.ts'
import type { EventQuery, Filter } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import { createReaderSlots, type ReaderLimits, type ReaderSlot } from '../reader-slots.ts'
import { stallLimits, takeSlot } from '../take-slot.ts'
import { csvTable } from './csv.ts'
import { ndjsonLine } from './ndjson.ts'

/** Exports are finite and cannot be resumed, so only stalled clients are disconnected in favour of new ones. */
export const exportLimits: ReaderLimits = {
  maxReaders: 20,
  maxReadersPerClient: 5,
  minTurnMs: Number.POSITIVE_INFINITY,
  ...stallLimits,
}
const exportStreamTexts = { name: 'an export', busyMessage: 'Too many exports are in progress' }
const invalidRange =
  'The time range is invalid. Use range=90m, time=yesterday, or from and to in ISO 8601 or epoch milliseconds'
/** The first page is small, because the sizes of the events are not known yet. */
const firstPageSize = 100
const maxPageSize = 1000
/** The target size of a page, which stays in memory while the client reads it. */
const pageBytes = 4 * 1024 * 1024
/** A client must read this much within `maxStallMs`. */
const chunkLength = 64 * 1024

type Layout = { head: string; line(event: LogEvent): string }

/** A layout depends on the paths of the attributes that the log shows as columns. */
const formats: Readonly<
  Record<ExportFormat, { type: string; layout(attributes: readonly string[]): Layout }>
> = {
  ndjson: {
    type: 'application/x-ndjson; charset=utf-8',
    layout: () => ({ head: '', line: ndjsonLine }),
  },
  csv: { type: 'text/csv; charset=utf-8', layout: csvTable },
}

/**
 * `GET /export`: exports the events that match a search as a file, newest first. Events are read and sent page by page, as
 * fast as the client reads. After an error, the response ends without its last chunk, so that the client detects the
 * failure. A client that reads too slowly or loses access is disconnected.
 */
const exports: FastifyPluginAsync<{ context: Pick<Context, 'store'>; limits?: ReaderLimits }> = async (
  fastify,
  { context, limits = exportLimits },
) => {
  const slots = createReaderSlots(limits)
  fastify.get(
    paths.export(),
    { exposeHeadRoute: false, config: { access: readAccess } },
    async (request, reply) => {
      const params = searchParamsOf(request)
      const format = exportFormats.find(each => each === params.get('format'))
      if (format === undefined) {
        throw new HttpError(400, `The format must be one of ${exportFormats.join(', ')}`)
      }
      const parsed = parseQuery((params.get('q') ?? '').trim())
      if ('problem' in parsed) throw new HttpError(400, parsed.problem.message)
      const preferences = preferencesOf(request.cookies)
      const nowMs = Date.now()
      if (invalidRangeOf(params, { nowMs, ...preferences }) !== null) throw new HttpError(400, invalidRange)
      const window = windowOf(parseRange(params, preferences, nowMs), nowMs)
      const columns = parseColumns(params.get('columns') ?? preferences.columns)
      const layout = formats[format].layout(attributesOf(columns))
      const disconnected = new AbortController()
      const slot = takeSlot(slots, request, exportStreamTexts, () => disconnected.abort())
      onceClosed(reply, () => {
        slot.release()
        disconnected.abort()
      })
      const store = visibleStore(context.store, userOf(request))
      const { signal } = disconnected
      const { hasAccess } = request
      const filter = { window, query: withoutOwnEvents(parsed.query) }
      return reply
        .type(formats[format].type)
        .headers(attachmentHeaders(nowMs, format))
        .send(
          Readable.from(exportChunks(filter, layout, store, { slot, signal, hasAccess }), {
            objectMode: false,
          }),
        )
    },
  )
}

type Client = Pick<FastifyRequest, 'hasAccess'> & { slot: ReaderSlot; signal: AbortSignal }

/** Yields the file in chunks of about 64 KB. The stream requests a chunk once the client has read the previous one. */
async function* exportChunks(
  filter: Filter,
  { head, line }: Layout,
  store: Pick<Store, 'wholeEvents'>,
  { slot, signal, hasAccess }: Client,
): AsyncGenerator<string> {
  if (head !== '') yield head
  let left = maxExportedEvents
  let pageSize = firstPageSize
  let before: string | undefined
  while (left > 0) {
    if (!(await hasAccess())) throw new Error('The token was revoked, or the session has ended')
    const limit = Math.min(pageSize, left)
    const page = await readPage({ ...filter, limit, before }, line, store, signal)
    for (const chunk of page.chunks) {
      const endStall = slot.stall()
      yield chunk
      endStall()
    }
    if (page.older === null) return
    before = page.older
    left -= page.count
    pageSize = page.nextSize
  }
}

/** Reads a page and returns its lines. The events are released before the client reads the lines. */
async function readPage(
  query: EventQuery,
  line: (event: LogEvent) => string,
  store: Pick<Store, 'wholeEvents'>,
  signal: AbortSignal,
): Promise<{ chunks: string[]; count: number; older: string | null; nextSize: number }> {
  const { events, older } = await store.wholeEvents(query, signal)
  const chunks = chunksOf(events.map(line))
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const fitting = Math.floor((pageBytes * events.length) / Math.max(length, 1))
  return { chunks, count: events.length, older, nextSize: Math.min(Math.max(fitting, 1), maxPageSize) }
}

/** Joins lines into chunks of at least `chunkLength` characters, except for the last chunk. */
function chunksOf(lines: readonly string[]): string[] {
  const chunks: string[] = []
  let chunk = ''
  for (const line of lines) {
    chunk += line
    if (chunk.length < chunkLength) continue
    chunks.push(chunk)
    chunk = ''
  }
  if (chunk !== '') chunks.push(chunk)
  return chunks
}

export default fastifyPlugin(exports, {
  name: 'export',
  fastify: '5.x',
  dependencies: [...routeDependencies, '@fastify/cookie'],
})
