import type { Snippet } from '../../shared/screens/development.ts'
import { jsQuote } from './js-quote.ts'
import type { SnippetTarget } from './snippet-target.ts'

/** Returns the snippets for services that run Node.js. */
export function nodeSnippets({ origin, tokenNote }: SnippetTarget): Snippet[] {
  return [
    {
      id: 'pino',
      source: 'ndjson',
      title: 'Node.js with pino',
      language: 'js',
      code: pinoModule(origin),
      note: `Lines still go to standard output. A worker thread also sends them here in batches. A retried batch is stored only once.${tokenNote} Log exceptions as { err }, so that failures are grouped by their stack.`,
    },
    {
      id: 'routes',
      source: null,
      title: 'Fastify: trace IDs and requests by route',
      language: 'js',
      code: fastifyHook,
      note: 'The plugin gives all lines of a request a trace ID, and each failure an ID that the visitor sees. It sends nothing itself, so send the lines of Fastify’s logger with pino as above, or through the sixpane command. The dashboard counts the line that Fastify logs for each completed request; the hook adds the route to it.',
    },
    {
      id: 'express',
      source: 'ndjson',
      title: 'Express: failures with an ID for the visitor',
      language: 'js',
      code: expressMiddleware(origin),
      note: `Add this after all routes. It reports every failure, and sends the visitor the status and an ID to paste into the search box. If the application has its own error page, use reportTo from the same module, and show res.locals.digest. Modules for React Router, TanStack Start, SvelteKit, Nuxt and Astro are described in docs/frameworks.md in Sixpane’s repository.${tokenNote}`,
    },
    {
      id: 'next-config',
      source: null,
      title: 'Next.js, step 1: next.config.mjs',
      language: 'js',
      code: nextConfig(origin),
      note: `Uploads the source maps of each production build without publishing them, and sets the release of all events. If Sixpane is unreachable, the build prints a warning and continues.${tokenNote}`,
    },
    {
      id: 'next',
      source: 'ndjson',
      title: 'Next.js, step 2: instrumentation.ts',
      language: 'ts',
      code: nextModule(origin),
      note: `Reports every failure of a page, route handler or server action, with the digest that the visitor saw. Next.js does not report failures of proxy.ts: wrap its function with reportProxy from the same module. Then build and start the application, and paste the digest of a failure into the search box.${tokenNote}`,
    },
  ]
}

function pinoModule(origin: string): string {
  return `import 'sixpane/request-ids' // adds the request’s trace id to each line
import { pino } from 'pino'

const transport = pino.transport({
  targets: [
    { target: 'pino/file' }, // standard output
    { target: 'sixpane/pino', options: { url: ${jsQuote(origin)} } },
  ],
})
export const logger = pino({ name: 'my-service' }, transport)`
}

const fastifyHook = `import sixpane from 'sixpane/fastify'

fastify.register(sixpane)
fastify.addHook('onResponse', (request, reply, done) => {
  // Fastify logs the completed request after this hook.
  reply.log = reply.log.child({ method: request.method, route: request.routeOptions.url })
  done()
})`

function expressMiddleware(origin: string): string {
  return `import sixpane from 'sixpane/express'

app.use(sixpane({ url: ${jsQuote(origin)}, service: 'my-service', release: '1.4.0' }))`
}

function nextConfig(origin: string): string {
  return `import { withSixpane } from 'sixpane/next/config'

const nextConfig = {}
export default withSixpane(nextConfig, { url: ${jsQuote(origin)}, service: 'my-app' })`
}

function nextModule(origin: string): string {
  return `import { reportTo } from 'sixpane/next'

export const onRequestError = reportTo({ url: ${jsQuote(origin)}, service: 'my-app' })`
}
