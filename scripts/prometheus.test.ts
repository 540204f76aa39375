/** Checks /metrics, the alert rules and the Grafana dashboard with Prometheus' own tools, if they are installed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import t from 'tap'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { paths } from '../shared/paths.ts'
import { reservePort } from '../shared/testing/reserve-port.ts'
import { root } from './prepare/root.mjs'
import { startServer } from './test/server.ts'

const folder = join(root, 'docs', 'prometheus')
const alerts = await readFile(join(folder, 'alerts.yaml'), 'utf8')
const dashboard = Value.Parse(
  Type.Object({
    panels: Type.Array(
      Type.Object({ title: Type.String(), targets: Type.Array(Type.Object({ expr: Type.String() })) }),
    ),
  }),
  JSON.parse(await readFile(join(folder, 'grafana-dashboard.json'), 'utf8')),
)
const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

const server = await startServer({ SIXPANE_METRICS: '1' })
t.teardown(() => server.stop())
const readMetrics = async () => (await fetch(server.origin + paths.metrics())).text()

const isMissing = async (program: string) =>
  (await run(program, ['--version'], '')) === null && `${program} is not installed`
// Checked before the first test, because tap ends a file as soon as no test is pending.
const skipPromtool = await isMissing('promtool')
const skipPrometheus = await isMissing('prometheus')

t.test('the alert rules and the dashboard use only metrics that exist', async t => {
  await readMetrics()
  const known = new Set([...(await readMetrics()).matchAll(/^([a-z0-9_]+)[{ ]/gm)].map(([, name]) => name))
  const used = [
    ...`${alerts}\n${expressions.join('\n')}`.matchAll(
      /\b((?:sixpane|http|nodejs|process)_[a-z0-9_]+)(?=[{)\s>])/g,
    ),
  ]
    .map(([, name = '']) => name)
    .filter(name => !name.startsWith('http_re') && !name.startsWith('http_ro'))
  t.ok(used.length > 15)
  for (const name of new Set(used)) t.ok(known.has(name), `${name} exists`)
})

t.test('the durations of pages do not include live feeds, which stay open', async t => {
  const durations = expressions.filter(expr => expr.includes('_duration_seconds_bucket'))
  t.equal(durations.length, 1)
  t.match(durations[0], `http_route!~"|${paths.live()}"`)
})

t.test(
  'promtool accepts the metrics, the alert rules and the expressions of the dashboard',
  { skip: skipPromtool },
  async t => {
    const check = async (kind: string, file: string | null, input = '') => {
      const promtool = await run('promtool', ['check', kind, ...(file === null ? [] : [file])], input)
      t.equal(promtool?.code, 0, `promtool check ${kind}: ${promtool?.output}`)
    }
    await check('metrics', null, await readMetrics())
    await check('rules', join(folder, 'alerts.yaml'))
    const rules = expressions.map((expr, index) => ({
      record: `panel:${index}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
    }))
    const file = join(t.testdir(), 'dashboard.json')
    // JSON is also YAML.
    await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    await check('rules', file)
  },
)

t.test('Prometheus reads the metrics without a warning', { skip: skipPrometheus }, async t => {
  const port = await reservePort(t)
  const directory = t.testdir({
    'prometheus.json': JSON.stringify({
      scrape_configs: [
        {
          job_name: 'sixpane',
          scrape_interval: '1s',
          static_configs: [{ targets: [new URL(server.origin).host] }],
        },
      ],
      rule_files: [join(folder, 'alerts.yaml')],
    }),
  })
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.json')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.format=json',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const log = readText(prometheus.stderr)
  const isUp = async () => {
    const query = new URLSearchParams({ query: 'sixpane_build_info * on (instance) up' })
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${query}`).catch(() => null)
    return response !== null && /"value":\[[\d.]+,"1"\]/.test(await response.text())
  }
  while (!(await isUp())) await new Promise(resolve => setTimeout(resolve, 200))
  prometheus.kill('SIGTERM')
  const lines = (await log).split('\n').filter(line => line !== '')
  t.same(
    lines.filter(line => /"level":"(?:warn|error)"/.test(line) && !line.includes('Received SIGTERM')),
    [],
  )
})

/** Runs a program. Returns `null` if it is not installed. */
async function run(
  program: string,
  args: string[],
  input: string,
): Promise<{ code: number; output: string } | null> {
  const child = spawn(program, args, { stdio: 'pipe' })
  const isStarted = await once(child, 'spawn').then(
    () => true,
    () => false,
  )
  if (!isStarted) return null
  child.stdin.end(input)
  const [output, errors, [code]] = await Promise.all([
    readText(child.stdout),
    readText(child.stderr),
    once(child, 'close'),
  ])
  return { code: Number(code), output: output + errors }
}
