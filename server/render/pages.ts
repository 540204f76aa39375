import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { loadView, type Views } from '../../client/screens/registry.tsx'
import { parsePreferences, preferencesCookie, serializePreferences } from '../../shared/preferences.ts'
import { type ScreenId, screenAt, screenIds, screens } from '../../shared/screens.ts'
import type { Context } from '../context.ts'
import { actionOf } from '../screens/index.ts'
import { takeOver } from '../take-over.ts'
import { frameOf } from './document.ts'
import { type Drilled, drillOf, failContent } from './drill.ts'
import { chooseEncoding, type Encoding, encode } from './encode.ts'
import { logFailure, sendFailure } from './fail.ts'
import { failureFragment } from './failure-page.ts'
import { createKept } from './kept.ts'
import { type Asked, notFoundPage, type Prepared, preparePage } from './page.ts'
import { renderTree } from './tree.tsx'

/** A page that was rendered whole, with each encoding that somebody asked for. */
type Rendered = { status: number; etag: string; body: Buffer; encoded: Map<Encoding, Buffer> }
type Outcome = { kind: 'rendered'; rendered: Rendered } | Extract<Prepared, { kind: 'redirect' }>

const html = 'text/html; charset=utf-8'
/** A page shows what was committed by others when it was asked for, and of Sixpane's own events all but the last second. */
const keptForMs = 1000

/** The way of a page: request → content → HTML → encoding → visitor; and whatever throws on it → failure page. */
const pages: FastifyPluginAsync<{ context: Context }> = async (fastify, { context }) => {
  const views: Views = {}
  for (const id of screenIds) views[id] = await loadView[id]()

  // Own events are committed with every request: counting them would keep nothing for longer than that.
  let commits = 0
  const stopCounting = context.events.onCommit(events => {
    if (events.some(event => event.source !== 'own')) commits += 1
  })
  fastify.addHook('onClose', async () => stopCounting())
  const kept = createKept<Outcome>({ version: () => commits, keptForMs, most: 100 })

  const renderWhole = async (asked: Asked, drill: Drilled): Promise<Outcome> => {
    if (drill === 'content') failContent()
    const prepared = await preparePage(asked, context)
    if (prepared.kind === 'redirect') return prepared
    if (drill === 'client') prepared.page.drill = 'client'
    const tree = await renderTree(prepared.page, views, drill, asked.signal)
    const frame = frameOf(prepared.page, context.build)
    const chunks: Uint8Array[] = [Buffer.from(frame.head)]
    if (tree.kind === 'whole') chunks.push(tree.html)
    else await tree.rest(chunk => chunks.push(Buffer.from(chunk)))
    const body = Buffer.concat([...chunks, Buffer.from(frame.tail)])
    const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
    return { kind: 'rendered', rendered: { status: prepared.status, etag, body, encoded: new Map() } }
  }

  const send = (outcome: Outcome, request: FastifyRequest, reply: FastifyReply) => {
    if (outcome.kind === 'redirect') {
      if (outcome.preferences !== null) {
        reply.setCookie(preferencesCookie, serializePreferences(outcome.preferences), {
          path: '/',
          maxAge: 365 * 86_400,
          sameSite: 'lax',
          httpOnly: true,
          secure: request.protocol === 'https',
        })
      }
      return reply.redirect(outcome.location, 303)
    }
    const { status, etag, body, encoded } = outcome.rendered
    reply
      .code(status)
      .header('etag', etag)
      .header('cache-control', 'private, no-cache')
      .header('vary', 'accept-encoding')
    if (status === 200 && request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    let bytes = encoded.get(encoding)
    if (bytes === undefined) {
      bytes = encode(body, encoding)
      encoded.set(encoding, bytes)
    }
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply.type(html).send(bytes)
  }

  const handle = (screen: ScreenId) => async (request: FastifyRequest, reply: FastifyReply) => {
    const [path = '', search] = (request.raw.url ?? '').split('?', 2)
    if (path !== screens[screen].path) return reply.redirect(canonical(screen, search), 308)
    if (request.method === 'HEAD') return reply.header('cache-control', 'private, no-cache').type(html).send()

    const params = new URLSearchParams(search)
    const drill = drillOf(params, context.config.drill)
    const visit = visitOf(reply, context.config.renderDeadlineMs)
    const asked: Asked = {
      screen,
      url: search === undefined ? path : `${path}?${search}`,
      form: request.method === 'POST' ? formOf(request.body) : null,
      params,
      preferences: parsePreferences(request.cookies[preferencesCookie]),
      nowMs: Date.now(),
      origin: `${request.protocol}://${request.host}`,
      signal: visit.signal,
    }
    try {
      if (drill === 'late') return await sendLate(asked, request, reply)
      const outcome =
        drill === null && asked.form === null
          ? await kept.get(keyOf(asked), signal => renderWhole({ ...asked, signal }, null), visit.signal)
          : await renderWhole(asked, drill)
      return send(outcome, request, reply)
    } catch (thrown) {
      // Nobody is there to read a failure page, and leaving is no failure.
      if (visit.gone()) return reply.hijack()
      return await sendFailure(thrown, screens[screen].path, request, reply, context)
    } finally {
      visit.end()
    }
  }

  /** Sends a page while it is rendered; what fails on the way stands in place of the screen. */
  const sendLate = async (asked: Asked, request: FastifyRequest, reply: FastifyReply) => {
    const prepared = await preparePage(asked, context)
    if (prepared.kind === 'redirect') return send(prepared, request, reply)
    const tree = await renderTree(prepared.page, views, 'late', asked.signal)
    const frame = frameOf(prepared.page, context.build)
    const out = takeOver(reply, prepared.status, { 'content-type': html, 'cache-control': 'no-store' })
    out.write(frame.head)
    try {
      if (tree.kind === 'whole') out.write(tree.html)
      else await tree.rest(chunk => out.write(chunk))
      out.end(frame.tail)
    } catch (thrown) {
      if (out.destroyed) return reply
      const route = screens[asked.screen].path
      const digest = await logFailure(thrown, { side: 'server', route }, request, context)
      out.end(`</div>${failureFragment('server', request.host, digest)}</body></html>`)
    }
    return reply
  }

  for (const id of screenIds) {
    fastify.get(screens[id].path, handle(id))
    if (actionOf[id] !== undefined) fastify.post(screens[id].path, { bodyLimit: 64 * 1024 }, handle(id))
  }

  fastify.setNotFoundHandler(async (request, reply) => {
    const [path = '', search] = (request.raw.url ?? '').split('?', 2)
    const screen = screenAt(path.replace(/(?<=.)\/+$/, ''))
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (screen !== undefined && reads) return reply.redirect(canonical(screen, search), 308)
    const allowed = allowedMethods(fastify, path)
    if (allowed.length > 0) {
      const message = `${request.method} is not possible here; ${allowed.join(', ')} is`
      return reply
        .code(405)
        .header('allow', allowed.join(', '))
        .send({ error: 'Method Not Allowed', message })
    }
    if (!reads || !request.headers.accept?.includes('text/html')) {
      return reply.code(404).send({ error: 'Not Found', message: 'There is nothing at this path' })
    }
    const preferences = parsePreferences(request.cookies[preferencesCookie])
    const page = notFoundPage(request.raw.url ?? '/', preferences, Date.now(), context.build)
    const visit = visitOf(reply, context.config.renderDeadlineMs)
    try {
      const tree = await renderTree(page, views, null, visit.signal)
      const frame = frameOf(page, context.build)
      const body = tree.kind === 'whole' ? tree.html : ''
      return await reply
        .code(404)
        .header('cache-control', 'no-store')
        .type(html)
        .send(`${frame.head}${body}${frame.tail}`)
    } catch (thrown) {
      return await sendFailure(thrown, null, request, reply, context)
    } finally {
      visit.end()
    }
  })
}

export default fastifyPlugin(pages, {
  name: 'pages',
  fastify: '5.x',
  dependencies: ['headers', 'cross-site'],
})

/** Aborts when the visitor goes away or the deadline passes. */
function visitOf(reply: FastifyReply, deadlineMs: number) {
  const controller = new AbortController()
  const deadline = setTimeout(
    () => controller.abort(new Error(`The page was not ready after ${deadlineMs} ms`)),
    deadlineMs,
  )
  const leave = () => controller.abort(new Error('The visitor has gone'))
  reply.raw.once('close', leave)
  return {
    signal: controller.signal,
    gone: () => reply.raw.destroyed,
    end() {
      clearTimeout(deadline)
      reply.raw.off('close', leave)
    },
  }
}

/** The methods that have a route at this path. */
function allowedMethods(fastify: FastifyInstance, path: string): string[] {
  const methods = ['GET', 'HEAD', 'POST'] as const
  return methods.filter(method => fastify.hasRoute({ method, url: path }))
}

/** Equal requests: same screen, query, preferences and origin. */
function keyOf({ url, preferences, origin }: Asked): string {
  return `${url} ${serializePreferences(preferences)} ${origin}`
}

function formOf(body: unknown): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

function canonical(screen: ScreenId, search: string | undefined): string {
  return search === undefined ? screens[screen].path : `${screens[screen].path}?${search}`
}
