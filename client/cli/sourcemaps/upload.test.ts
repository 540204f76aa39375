import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { paths } from '../../../shared/paths.ts'
import { uploadSourceMaps } from './upload.ts'
import { uploadMap } from './upload-map.ts'

type Put = {
  path: string
  release: string
  service: string | null
  debugId: string | null
  map: unknown
  headers: IncomingHttpHeaders
}

/** A server that responds to the first requests with `statuses` and then accepts maps. */
async function server(t: Test, statuses: number[] = []) {
  const puts: Put[] = []
  const http = createServer(async (request, response) => {
    const body = await buffer(request)
    const url = new URL(request.url ?? '', 'http://x')
    const status = statuses.shift() ?? 201
    if (status < 300 && request.method === 'PUT' && url.pathname === paths.sourceMaps()) {
      const { searchParams: query } = url
      puts.push({
        path: String(query.get('path')),
        release: String(query.get('release')),
        service: query.get('service'),
        debugId: query.get('debug_id'),
        map: JSON.parse(gunzipSync(body).toString()),
        headers: request.headers,
      })
    }
    response.writeHead(status, status === 429 ? { 'retry-after': '0' } : {})
    response.end(status < 300 ? '{"id":"7f3a"}' : '{"error":"Refused","message":"it is too much"}')
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.teardown(() => http.close())
  const address = http.address()
  return { puts, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}

async function upload(
  t: Test,
  files: Record<string, string>,
  { url, folder = 'dist', service = null }: { url: string | null; folder?: string; service?: string | null },
) {
  const root = t.testdir({})
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const output: string[] = []
  const errors: string[] = []
  const code = await uploadSourceMaps({
    folder: join(root, folder),
    release: '1.4.0',
    service,
    destination: url === null ? null : { url, headers: { authorization: 'Bearer x' } },
    print: line => output.push(line),
    printError: line => errors.push(line),
    workingFolder: root,
    initialDelayMs: 1,
  })
  return { code, output, errors, root }
}

const map = (more: object = {}) =>
  JSON.stringify({ version: 3, sources: ['../src/cart.ts'], names: [], mappings: 'AAAA', ...more })

t.test('uploads each map with the path of its code file', async t => {
  const { url, puts } = await server(t)
  const { code, output } = await upload(
    t,
    {
      'src/cart.ts': 'export const total = 1',
      'dist/beside.js': 'x',
      'dist/beside.js.map': map(),
      'dist/cdn.js': 'x\n//# sourceMappingURL=https://cdn.example/cdn.js.map',
      'dist/cdn.js.map': map(),
      'dist/rooted.js': 'x\n//# sourceMappingURL=/assets/rooted.js.map',
      'dist/rooted.js.map': map(),
      'dist/server/named.mjs':
        'x\n//# debugId=11111111-2222-3333-4444-555555555555\n//# sourceMappingURL=maps/other.map\n/* build\n7 */\n// built',
      'dist/server/maps/other.map': map({ sourcesContent: ['const its = own'] }),
      'dist/inline.cjs': `x\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map({ debugId: 'of-the-map' })).toString('base64')}`,
      'dist/without.js': 'x',
      'dist/style.css': 'x\n/*# sourceMappingURL=style.css.map */',
      'dist/node_modules/theirs.js': 'x',
      'dist/node_modules/theirs.js.map': map(),
    },
    { url },
  )
  t.equal(code, 0)
  t.match(output.at(-1), /^5 of 5 source maps of release 1\.4\.0 for any service sent to http/)
  t.match(puts, [
    {
      path: 'beside.js',
      release: '1.4.0',
      debugId: null,
      map: { sourcesContent: ['export const total = 1'] },
    },
    { path: 'cdn.js' },
    { path: 'inline.cjs', debugId: 'of-the-map', map: { mappings: 'AAAA' } },
    { path: 'rooted.js' },
    {
      path: 'server/named.mjs',
      debugId: '11111111-2222-3333-4444-555555555555',
      map: { sourcesContent: ['const its = own'] },
    },
  ])
  t.match(puts[0]?.headers, { authorization: 'Bearer x', 'content-type': 'application/json' })
})

t.test('ignores text that looks like a map comment', async t => {
  const { url, puts } = await server(t)
  const code = (b: string) => `a(\`\n//# sourceMappingURL=\` + b);b(\`\n//# debugId=theirs\`)${b}`
  const { errors } = await upload(
    t,
    {
      'dist/beside.js': code(''),
      'dist/beside.js.map': map(),
      'dist/named.js': code('\n//# sourceMappingURL=other.map\n//# debugId=own\n\n'),
      'dist/other.map': map(),
    },
    { url },
  )
  t.same(errors, [])
  t.match(puts, [
    { path: 'beside.js', debugId: null },
    { path: 'named.js', debugId: 'own' },
  ])
})

t.test('sends the service with each map', async t => {
  const { url, puts } = await server(t)
  const one = { 'dist/a.js': '', 'dist/a.js.map': map() }
  const { output } = await upload(t, one, { url, service: '@acme/shop & co' })
  t.match(output.at(-1), 'of release 1.4.0 for service @acme/shop & co sent to')
  await upload(t, one, { url })
  t.match(puts, [{ service: '@acme/shop & co' }, { service: null }])
})

t.test('does not embed large sources, files that are not code, or files outside the project', async t => {
  const { url, puts } = await server(t)
  const outside = t.testdir({ 'secret.ts': 'not to be sent', project: {} })
  const root = join(outside, 'project')
  await mkdir(join(root, 'dist'))
  await symlink(join(outside, 'secret.ts'), join(root, 'linked.ts'))
  await writeFile(join(root, '.env'), 'KEY=1')
  await writeFile(join(root, 'big.ts'), 'x'.repeat(1024 * 1024 + 1))
  await writeFile(join(root, 'a.ts'), 'a')
  await writeFile(join(root, 'dist/a.js'), '')
  const sources = ['a.ts', '.env', 'big.ts', 'linked.ts', '../secret.ts', 'gone.ts', null, 'webpack://x/a.ts']
  await writeFile(
    join(root, 'dist/a.js.map'),
    JSON.stringify({
      version: 3,
      sections: [
        {
          offset: { line: 0, column: 0 },
          map: { version: 3, sourceRoot: '..', sources, names: [], mappings: '' },
        },
      ],
    }),
  )
  const code = await uploadSourceMaps({
    folder: join(root, 'dist'),
    release: '1',
    service: null,
    destination: { url, headers: {} },
    print: () => {},
    printError: () => {},
    workingFolder: root,
  })
  t.equal(code, 0)
  t.match(puts, [
    { map: { sections: [{ map: { sourcesContent: ['a', null, null, null, null, null, null, null] } }] } },
  ])
})

t.test('reports invalid maps and uploads the others', async t => {
  const { url, puts } = await server(t)
  const { code, output, errors } = await upload(
    t,
    {
      'dist/a.js': '',
      'dist/a.js.map': map().slice(0, 20),
      'dist/b.js': '',
      'dist/b.js.map': '{"version":2}',
      'dist/c.js': '',
      'dist/c.js.map': '{"version":3,"sources":[]}',
      'dist/d.js': '\n//# sourceMappingURL=gone.js.map',
      'dist/e.js': '',
      'dist/e.js.map': map(),
      'dist/f.js': 'a()\n//# sourceMappingURL=data:application/json,%',
      'dist/g.js': '',
      'dist/g.js.map': `\ufeff${map({ sourceRoot: null, sourcesContent: null })}`,
    },
    { url },
  )
  t.equal(code, 1)
  t.match(errors, [
    /^a\.js: .*not valid JSON/,
    /^b\.js: .*version 3/,
    /^c\.js: .*mappings/,
    /^d\.js: .*not found/,
    /^f\.js: .*not valid JSON/,
  ])
  t.match(output.at(-1), /^2 of 6 /)
  t.match(puts, [{ path: 'e.js' }, { path: 'g.js' }])
})

t.test('retries temporary errors, and reports other errors with the server’s message', async t => {
  const one = { 'dist/a.js': '', 'dist/a.js.map': map() }
  const busy = await server(t, [503, 429, 500])
  t.equal((await upload(t, one, { url: busy.url })).code, 0)
  t.equal(busy.puts.length, 1)

  const refusing = await server(t, [413])
  const two = { ...one, 'dist/b.js': '', 'dist/b.js.map': map() }
  const { code, errors } = await upload(t, two, { url: refusing.url })
  t.equal(code, 1)
  t.same(errors, ['a.js: 413: it is too much'])
  t.match(refusing.puts, [{ path: 'b.js' }])

  const unavailable = await server(
    t,
    Array.from({ length: 5 }, () => 503),
  )
  t.match(await upload(t, two, { url: unavailable.url }), { code: 1, errors: ['503: it is too much'] })
  t.same(unavailable.puts, [], 'no more maps are sent to a server that stays unavailable')

  const closed = await server(t, [401, 401])
  t.match(await upload(t, two, { url: closed.url }), {
    code: 1,
    errors: [/^401: it is too much\. Set SIXPANE_TOKEN/],
  })
  for (const status of [403, 404, 405]) {
    const other = await server(t, [status])
    t.match(await upload(t, two, { url: other.url }), { code: 1, errors: [`${status}: it is too much`] })
    t.same(other.puts, [], 'no more maps are sent after a status that applies to all of them')
  }
  t.match(await upload(t, two, { url: 'http://127.0.0.1:1' }), {
    code: 1,
    errors: [/can't reach Sixpane at \S+ \(bad port\): .* --url/],
  })
})

t.test('says that an upload took too long', async t => {
  const http = createServer(() => {}).listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.teardown(() => {
    http.close()
    http.closeAllConnections()
  })
  const address = http.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const one = { release: '1', service: null, path: 'a.js', debugId: null, json: map() }
  await t.rejects(uploadMap({ url, headers: {} }, one, 1, 1), {
    name: 'UploadError',
    message: `the upload to ${url} took longer than 0.001 seconds`,
  })
})

t.test('reports that the server is not Sixpane', async t => {
  const requests: string[] = []
  const http = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (requests.length === 1) response.end('{}')
    else response.writeHead(302, { location: '/sign-in' }).end()
  }).listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.teardown(() => http.close())
  const address = http.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const two = { 'dist/a.js': '', 'dist/a.js.map': map(), 'dist/b.js': '', 'dist/b.js.map': map() }
  t.match(await upload(t, two, { url }), {
    code: 1,
    errors: [`${url} does not appear to be a Sixpane server: check the URL`],
  })
  t.match(await upload(t, two, { url }), { code: 1, errors: ['the server responded with status 302'] })
  t.equal(requests.length, 2, 'each upload stops after one request and does not follow redirects')
})

t.test('reports a missing folder and a folder without maps', async t => {
  t.match(await upload(t, { 'dist/a.js': '' }, { url: null }), {
    code: 1,
    errors: [/^no source map for 1 of 1 code files, .*\(a\.js\): enable source maps/, /no source maps/],
  })
  t.match(await upload(t, {}, { url: null, folder: 'gone' }), { code: 1, errors: [/folder not found/] })
})

t.test('a dry run lists the maps without uploading them', async t => {
  const { code, output } = await upload(t, { 'dist/a.js': '', 'dist/a.js.map': map() }, { url: null })
  t.equal(code, 0)
  t.match(output, [/^a\.js: 0 of 1 sources/, /would be sent$/])
})

t.test('reports code files without a map, the largest first', async t => {
  const files = {
    'dist/a.js': '',
    'dist/a.js.map': map(),
    'dist/b.js': 'b',
    'dist/c.js': 'cc',
    'dist/d.js': 'ddd',
  }
  t.match(await upload(t, { ...files, 'dist/e.mjs': '' }, { url: null }), {
    code: 0,
    errors: [/^no source map for 4 of 5 code files, .*\(d\.js, c\.js, b\.js, …\): enable source maps/],
  })
})

t.test('in Next.js output, uploads only the maps of the build, and recommends withSixpane', async t => {
  const { url, puts } = await server(t)
  const { code, errors } = await upload(
    t,
    {
      '.next/build-manifest.json': '{"polyfillFiles":["static/chunks/0a.js"]}',
      '.next/static/chunks/0a.js': 'x',
      '.next/static/main.js': '',
      '.next/static/main.js.map': map(),
      '.next/static/id/_buildManifest.js': 'x',
      '.next/server/page.js': 'x',
      '.next/server/page_client-reference-manifest.js': 'x',
      '.next/server/middleware-build-manifest.js': 'x',
      '.next/standalone/.next/server/page.js': 'x',
      '.next/dev/page.js': 'x',
      '.next/dev/page.js.map': map(),
    },
    { url, folder: '.next' },
  )
  t.equal(code, 0)
  t.match(errors, [/^no source map for 1 of 2 code files, .*\(server\/page\.js\): .*withSixpane/])
  t.match(puts, [{ path: 'static/main.js' }])
})
