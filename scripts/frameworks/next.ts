import type { Application, FailureKind } from './application.ts'

const kind = (name: string, title: string, source: string, button: string | null = null): FailureKind => ({
  name,
  title,
  path: `/${name}`,
  button,
  source,
})

const edgeRoute = kind('edge-route', 'route handler in the edge runtime', 'app/edge-route/route.js')
const failures = [
  kind('render', 'server component', 'app/render/page.jsx'),
  kind('client', 'client component, rendered on the server', 'app/client/cart.jsx'),
  kind('click', 'event handler in the browser', 'app/click/page.jsx', 'Cancel'),
  kind('action', 'server action', 'app/action/page.jsx', 'Order'),
  kind('route', 'route handler', 'app/route/route.js'),
  kind('edge-page', 'page in the edge runtime', 'app/edge-page/page.jsx'),
  edgeRoute,
]
const middleware = kind('middleware', 'middleware', 'middleware.js')
// Next.js 15 then renders a page for the response that it has already sent.
const middlewareOf15 = {
  ...middleware,
  alsoStored: 'Cannot append headers after they are sent to the client',
}
const start = './node_modules/.bin/next start -H 127.0.0.1'

const next: Omit<Application, 'name' | 'version' | 'build' | 'failures'> = {
  folder: 'next',
  isNewest: false,
  env: { NEXT_TELEMETRY_DISABLED: '1', HOSTNAME: '127.0.0.1' },
  start: `exec ${start}`,
  isPiped: false,
  visibleId: /\b(?:digest|error)\W+(\d{6,})/i,
}
const build = './node_modules/.bin/next build'

export const nextApplications: readonly Application[] = [
  {
    ...next,
    name: 'Next.js 16.4',
    version: 'next-16',
    isNewest: true,
    build,
    failures: [...failures, kind('proxy', 'proxy, with `reportProxy`', 'proxy.js')],
  },
  {
    ...next,
    name: 'Next.js 16.4, in development',
    version: 'next-16',
    // Only the build command gets the release, so a file passes it to the development server.
    build: 'echo "$SIXPANE_RELEASE" > release',
    start: 'SIXPANE_RELEASE=$(cat release) exec ./node_modules/.bin/next dev -H 127.0.0.1',
    failures: [kind('render', 'server component', 'app/render/page.jsx'), edgeRoute],
  },
  {
    ...next,
    name: 'Next.js 16.4 with `@sentry/nextjs` 11',
    version: 'next-16-sentry',
    build,
    failures,
  },
  {
    ...next,
    name: 'Next.js 15.5 (webpack), standalone',
    version: 'next-15',
    env: { ...next.env, NEXT_OUTPUT: 'standalone' },
    build: `${build} && cp -r .next/static .next/standalone/.next/static`,
    start: 'exec node .next/standalone/server.js',
    failures: [...failures, middlewareOf15],
  },
  {
    ...next,
    name: 'Next.js 15.5 (Turbopack)',
    version: 'next-15',
    build: `${build} --turbopack`,
    failures: [...failures, middlewareOf15],
  },
  {
    ...next,
    name: 'Next.js 14.2, standard output',
    version: 'next-14',
    build,
    start,
    isPiped: true,
    failures: [...failures, middleware],
  },
]
