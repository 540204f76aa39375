// @ts-check
/**
 * Compares Sixpane with two references: a minimal Fastify server, and a Next.js application that renders the same dashboard.
 * Interleaves the rounds and prints medians, because measurements on busy machines are noisy. Compare only results from the
 * same run.
 *
 *   npm run bench                    everything (about ten minutes, with five million events)
 *   npm run bench -- render ingest   only these parts (available: render ingest search start)
 *   EVENTS=500000 npm run bench      a smaller store
 *   npm run bench -- --short         one short round on an existing build, without Next.js; checks only that the benchmark runs
 */
import { execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import autocannon from 'autocannon'
import * as esbuild from 'esbuild'
import { build, serverOptions } from './build.mjs'

const execFileAsync = promisify(execFile)
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const work = await mkdtemp(join(tmpdir(), 'sixpane-bench-'))
const isShort = process.argv.includes('--short')
const events = Number(process.env.EVENTS ?? (isShort ? 20_000 : 5_000_000))
const rounds = isShort ? 1 : 5
/** Duration of one round. */
const loadLength = isShort ? { amount: 32 } : { duration: 3 }
const parts = process.argv.slice(2).filter(arg => arg !== '--short')
/** @param {string} part */
const isSelected = part => parts.length === 0 || parts.includes(part)
/** @type {import('node:child_process').ChildProcess[]} */
const started = []

try {
  if (!isShort) await build()
  await esbuild.build({
    ...serverOptions(),
    entryPoints: { 'render-server': 'scripts/bench/render-server.ts', seed: 'scripts/bench/seed.ts' },
    outdir: 'dist/bench',
    sourcemap: false,
    write: true,
  })
  if (isSelected('render')) await measureRender()
  if (isSelected('ingest')) await measureIngest()
  if (isSelected('search') || isSelected('start')) await measureLargeStore()
} finally {
  for (const child of started) child.kill()
  await rm(work, { recursive: true, force: true })
}

async function measureRender() {
  const folder = join(work, 'render')
  await seed(folder, isShort ? events : 50_000)
  const own = await serve(['dist/bench/render-server.js'], { SIXPANE_DATA: folder }, 'stderr')
  const response = await fetch(`${own}/dashboard?range=7d`, { headers: { 'accept-encoding': 'gzip' } })
  const html = await response.text()
  const wire = join(work, 'page.gz')
  await writeFile(wire, gzipSync(html, { level: 1 }))
  const page = join(work, 'page.json')
  await writeFile(page, JSON.stringify(pageOf(html)))

  const bare = await serve(['scripts/bench/bare-server.mjs', wire, 'gzip'], {}, 'stdout')
  const next = isShort ? null : await startNext(page)
  const elements = (html.match(/<[a-z]/g) ?? []).length
  console.log(`\nDashboard with ${elements} elements and ${html.length} characters: requests per second\n`)

  /** @type {{ events: number[], pages: number[] }} */
  const stream = { events: [], pages: [] }
  let unique = 0
  const uniqueUrl = () => `/dashboard?range=7d&n=${unique++}`
  await measureRows([
    ['minimal Fastify, prepared buffer', () => load(bare, () => '/dashboard')],
    ['Sixpane, cached page', () => load(own, () => '/dashboard?range=7d')],
    [
      'Sixpane, one view, invalidated by every commit',
      () => loadWhileWriting(own, '/dashboard?range=7d', stream),
    ],
    ['Sixpane, a different view in each request', () => load(own, uniqueUrl)],
    ['Sixpane, a different view in each request, uncompressed', () => load(own, uniqueUrl, 'identity')],
    ...(next === null ? [] : [nextRow(next)]),
  ])
  const [written, rendered] = [stream.events, stream.pages].map(values => Math.round(median(values)))
  console.log(
    `While one view was requested: ${written} events stored per second, ${rendered} renders per second`,
  )
}

async function measureIngest() {
  const own = await serve(
    ['dist/server/main.js'],
    { PORT: '0', SIXPANE_DATA: join(work, 'ingest') },
    'stdout',
  )
  const line = JSON.stringify({
    level: 30,
    time: Date.now(),
    name: 'bench',
    version: '1.0.0',
    reqId: 'req-1',
    req: { method: 'GET', url: '/products/1' },
    route: '/products/:id',
    res: { statusCode: 200 },
    responseTime: 12.5,
    msg: 'request completed',
  })
  const body = `${line}\n`.repeat(1000)
  console.log('\nIngest: committed lines per second, 1000 per request, 8 connections\n')
  await measureRows([
    ['Sixpane, /ingest', async () => (await load(own, () => '/ingest', 'identity', body)) * 1000],
  ])
  console.log(`Resident memory afterwards: ${await residentMb(started.at(-1)?.pid)} MB`)
}

async function measureLargeStore() {
  const folder = join(work, 'large')
  console.log(`\nSeeding ${events.toLocaleString('en')} events`)
  console.log(`Store: ${await seed(folder, events)}`)

  const startupDurationsMs = []
  let own = ''
  for (let round = 0; round < rounds; round += 1) {
    started.pop()?.kill()
    const startedMs = performance.now()
    own = await serve(['dist/server/main.js'], { PORT: '0', SIXPANE_DATA: folder }, 'stdout')
    await fetch(`${own}/readyz`)
    startupDurationsMs.push(performance.now() - startedMs)
    if (round < rounds - 1) await stop(started.at(-1))
  }
  console.log(
    `\nStartup time with this store, until /readyz responds: ${Math.round(median(startupDurationsMs))} ms`,
  )
  console.log(`Resident memory after start: ${await residentMb(started.at(-1)?.pid)} MB`)

  const views = [
    '/',
    '/activities',
    '/dashboard',
    '/development',
    '/settings',
    '/ui',
    '/activities?range=7d',
    '/dashboard?range=7d',
    '/activities?range=7d&q=%22card+declined%22',
    '/activities?range=7d&q=service:shop-api+status:>=500',
    '/activities?range=7d&q=user.plan:pro+severity:error',
    '/development?digest=1000000007',
  ]
  console.log('\nMilliseconds to load an uncached page\n')
  let unique = 0
  await measureRows(
    views.map(view => [
      view,
      async () => {
        const startedMs = performance.now()
        const response = await fetch(`${own}${view}${view.includes('?') ? '&' : '?'}n=${unique++}`)
        await response.text()
        if (!response.ok) throw new Error(`${view} returned status ${response.status}`)
        return performance.now() - startedMs
      },
    ]),
  )
  console.log(`Resident memory afterwards: ${await residentMb(started.at(-1)?.pid)} MB`)
}

/** @param {string} next @returns {[string, () => Promise<number>]} */
function nextRow(next) {
  return ['Next.js, rendered on every request', () => load(next, () => '/dashboard')]
}

/** @param {string} html */
function pageOf(html) {
  const page = JSON.parse(/id="page">(.*?)<\/script>/s.exec(html)?.[1] ?? '')
  const fragments = Object.fromEntries(
    [...html.matchAll(/data-fragment="([^"]+)"[^>]*>(.*?)<\/div>(?=<)/gs)].map(([, name, text]) => [
      name,
      text,
    ]),
  )
  return { ...page, fragments }
}

/** @param {string} page */
async function startNext(page) {
  const folder = join(root, 'scripts/bench/next')
  for (const name of ['client', 'shared']) {
    await cp(join(root, name), join(folder, 'copied', name), {
      recursive: true,
      filter: source => !/e2e|\.test\.|testing/.test(source),
    })
  }
  const options = { cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', BENCH_PAGE: page } }
  await execFileAsync(
    'npm',
    ['install', '--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'],
    options,
  )
  await execFileAsync('npm', ['run', 'build'], options)
  const port = '3999'
  const child = spawn(
    process.execPath,
    ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', port],
    {
      ...options,
      stdio: 'ignore',
    },
  )
  started.push(child)
  const origin = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error('The Next.js application did not start')
    const response = await fetch(`${origin}/dashboard`).catch(() => null)
    if (response?.ok) return origin
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

/**
 * Starts a server and returns the origin that it prints.
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @param {'stdout' | 'stderr'} stream
 * @returns {Promise<string>}
 */
function serve(args, env, stream) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  return new Promise((resolve, reject) => {
    const watch = (/** @type {string} */ line) => {
      const origin = /http:\/\/[\d.]+:\d+/.exec(line)?.[0]
      if (origin !== undefined) resolve(origin)
    }
    createInterface({ input: child[stream] }).on('line', watch)
    // Without a reader, a full pipe would block the server.
    child.stdout.resume()
    child.stderr.resume()
    child.once('exit', code => reject(new Error(`${args[0]} exited with ${code}`)))
  })
}

/**
 * @param {string} folder
 * @param {number} count
 */
async function seed(folder, count) {
  await mkdir(folder, { recursive: true })
  const { stdout } = await execFileAsync(process.execPath, ['dist/bench/seed.js', folder, String(count)], {
    cwd: root,
  })
  return stdout.trim()
}

/**
 * Measures successful requests per second.
 * @param {string} origin
 * @param {() => string} path
 * @param {string} encoding
 * @param {string} [body]
 * @param {(headers: string[]) => void} [onHeaders]
 */
async function load(origin, path, encoding = 'gzip', body, onHeaders = () => {}) {
  const result = await autocannon({
    url: origin,
    connections: body === undefined ? 16 : 8,
    ...loadLength,
    setupClient: client => client.on('headers', ({ headers = [] }) => onHeaders([headers].flat())),
    headers: { 'accept-encoding': encoding, 'content-type': 'application/x-ndjson' },
    requests: [
      {
        method: body === undefined ? 'GET' : 'POST',
        ...(body === undefined ? {} : { body }),
        setupRequest: request => ({ ...request, path: path() }),
      },
    ],
  })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} requests to ${origin} failed`)
  return result['2xx'] / result.duration
}

/**
 * Measures requests per second for one view. Another client posts an event every 5 ms, and each commit invalidates the
 * cached page. Records stored events and rendered pages per second in `stream`.
 * @param {string} origin
 * @param {string} path
 * @param {{ events: number[], pages: number[] }} stream
 */
async function loadWhileWriting(origin, path, stream) {
  const startedMs = performance.now()
  /** @type {Promise<Response>[]} */
  const posts = []
  const writer = setInterval(() => {
    posts.push(
      fetch(`${origin}/ingest`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson' },
        body: JSON.stringify({ name: 'bench', msg: `event ${posts.length}` }),
      }),
    )
  }, 5)
  // Each rendered page contains its render time, so it has its own ETag.
  const etags = new Set()
  const requestsPerSecond = await load(
    origin,
    () => path,
    'gzip',
    undefined,
    headers => {
      etags.add(headers[headers.indexOf('etag') + 1])
    },
  ).finally(() => clearInterval(writer))
  const responses = await Promise.all(posts)
  if (!responses.every(response => response.ok)) throw new Error('An event was not accepted')
  const seconds = (performance.now() - startedMs) / 1000
  stream.events.push(posts.length / seconds)
  stream.pages.push(etags.size / seconds)
  return requestsPerSecond
}

/**
 * Interleaves the rounds of all rows, and prints the median and range of each row.
 * @param {[string, () => Promise<number>][]} rows
 */
async function measureRows(rows) {
  /** @type {number[][]} */
  const results = rows.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [, measure]] of rows.entries()) results[index]?.push(await measure())
  }
  for (const [index, [name]] of rows.entries()) {
    const values = results[index] ?? []
    const [low, high] = [Math.min(...values), Math.max(...values)].map(each =>
      Math.round(each).toLocaleString('en'),
    )
    console.log(
      `${name.padEnd(56)} ${Math.round(median(values)).toLocaleString('en').padStart(9)}   (${low} to ${high})`,
    )
  }
}

/** @param {number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** @param {number | undefined} pid */
async function residentMb(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024)
}

/** @param {import('node:child_process').ChildProcess | undefined} child */
async function stop(child) {
  if (child === undefined || child.exitCode !== null) return
  child.kill()
  await new Promise(resolve => child.once('exit', resolve))
}
