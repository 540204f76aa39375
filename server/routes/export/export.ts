import { Readable } from 'node:stream'
import type { FastifyPluginAsync } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { LogEvent } from '../../../shared/event.ts'
import { type ExportFormat, exportFormats, maxExportedEvents, paths } from '../../../shared/paths.ts'
import { parsePreferences, preferencesCookie } from '../../../shared/preferences.ts'
import { parseRange, resolveRange } from '../../../shared/range.ts'
import type { Context } from '../../context.ts'
import { HttpError } from '../../http/http-error.ts'
import { splitUrl } from '../../http/request-url.ts'
import { parseQuery } from '../../query/parse.ts'
import type { Filter } from '../../store/event-store.ts'
import type { Store } from '../../store/store.ts'
import { csvHead, csvLine } from './csv.ts'
import { ndjsonLine } from './ndjson.ts'

const pageSize = 1000

const formats: Readonly<Record<ExportFormat, { type: string; head: string; line(event: LogEvent): string }>> =
  {
    ndjson: { type: 'application/x-ndjson; charset=utf-8', head: '', line: ndjsonLine },
    csv: { type: 'text/csv; charset=utf-8', head: csvHead, line: csvLine },
  }

/**
 * `GET /export`: the newest events of a search as a file, newest first. Events are read and sent page by page, as fast as
 * the client reads. After an error the response ends without its last chunk, so that the client detects the failure.
 */
const exports: FastifyPluginAsync<{ context: Pick<Context, 'store'> }> = async (fastify, { context }) => {
  fastify.get(paths.export(), { exposeHeadRoute: false }, async (request, reply) => {
    const params = new URLSearchParams(splitUrl(request.raw.url ?? '').search ?? '')
    const format = exportFormats.find(each => each === params.get('format'))
    if (format === undefined) {
      throw new HttpError(400, `The format must be one of ${exportFormats.join(', ')}`)
    }
    const parsed = parseQuery((params.get('q') ?? '').trim())
    if ('problem' in parsed) throw new HttpError(400, parsed.problem.message)
    const preferences = parsePreferences(request.cookies[preferencesCookie])
    const nowMs = Date.now()
    const window = resolveRange(parseRange(params, preferences.range), nowMs)
    const disconnected = new AbortController()
    reply.raw.once('close', () => disconnected.abort())
    const filter = { window, query: parsed.query }
    const name = `sixpane-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-')}.${format}`
    return reply
      .type(formats[format].type)
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('cache-control', 'no-store')
      .send(
        Readable.from(exportChunks(filter, format, context.store, disconnected.signal), {
          objectMode: false,
        }),
      )
  })
}

/** Yields the file, one page of events at a time. */
async function* exportChunks(
  filter: Filter,
  format: ExportFormat,
  store: Pick<Store, 'wholeEvents'>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const { head, line } = formats[format]
  if (head !== '') yield head
  let before: string | undefined
  for (let left = maxExportedEvents; left > 0; left -= pageSize) {
    const page = await store.wholeEvents({ ...filter, limit: Math.min(pageSize, left), before }, signal)
    if (page.events.length > 0) yield page.events.map(line).join('')
    if (page.older === null) return
    before = page.older
  }
}

export default fastifyPlugin(exports, { name: 'export', fastify: '5.x', dependencies: ['headers'] })
