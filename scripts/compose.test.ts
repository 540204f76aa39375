/** Checks the container restrictions that SECURITY.md describes, and the settings in the compose files. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../server/settings/config.ts'
import { root } from './prepare/root.mjs'

const compose = await readFile(join(root, 'compose.yaml'), 'utf8')
const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8')

t.test(
  'compose.yaml: read-only root file system, one volume, no capabilities, no new privileges',
  async t => {
    t.match(compose, /^ {4}read_only: true$/m)
    t.match(compose, /^ {4}volumes:\n {6}- data:\/data\n(?! {6}-)/m)
    t.match(compose, /^ {4}tmpfs:\n {6}- \/tmp\n(?! {6}-)/m)
    t.match(compose, /^ {4}cap_drop: \[ALL\]$/m)
    t.match(compose, /^ {4}security_opt:\n {6}- no-new-privileges:true$/m)
    t.notMatch(compose, /\b(cap_add|privileged|user):/)
  },
)

t.test('compose.yaml: limits the memory, and uses /readyz as the health check', async t => {
  t.match(compose, /^ {4}mem_limit: 1g$/m)
  t.match(compose, /^ {4}healthcheck:\n(?: {6}.*\n)*.*fetch\('http:\/\/127\.0\.0\.1:3000\/readyz'\)/m)
})

t.test('compose.yaml: publishes the port on loopback only', async t => {
  t.match(compose, /^ {4}ports:\n {6}- "127\.0\.0\.1:3000:3000"\n(?! {6}-)/m)
})

const cluster = await readFile(join(root, 'compose.cluster.yaml'), 'utf8')

const gitignore = await readFile(join(root, '.gitignore'), 'utf8')

t.test(
  'the compose files pass .env to Sixpane, and git ignores it, because it contains passwords',
  async t => {
    t.match(compose, /^ {4}env_file:\n {6}- path: \.env$/m)
    t.match(cluster, /^ {2}env_file:\n {4}- path: \.env$/m)
    t.match(gitignore, /^\.env$/m)
  },
)

t.test('.env cannot change the values that the rest of the compose files depends on', async t => {
  t.match(compose, /^ {6}HOST: 0\.0\.0\.0\n {6}PORT: "3000"\n {6}SIXPANE_DATA: \/data$/m)
  t.match(cluster, /^ {4}HOST: 0\.0\.0\.0\n {4}PORT: "3000"\n {4}SIXPANE_DATA: \/data$/m)
})

t.test('.env can contain any form of sign-in, and Sixpane does not start without one', async t => {
  for (const file of [compose, cluster]) {
    const set = Array.from(file.matchAll(/^ +(SIXPANE_\w+): /gm), ([, name = '']) => name)
    t.same(
      set,
      file === compose
        ? ['SIXPANE_PASSWORD', 'SIXPANE_DATA']
        : ['SIXPANE_PASSWORD', 'SIXPANE_DATA', 'SIXPANE_STORE', 'SIXPANE_TRUST_PROXY', 'SIXPANE_AUTH'],
    )
    t.match(file, /^ +SIXPANE_PASSWORD: \$\{SIXPANE_PASSWORD:-\}$/m, 'empty means not set')
  }
  t.throws(() => readConfig({ HOST: '0.0.0.0', PORT: '3000', SIXPANE_DATA: '/data' }), /SIXPANE_PASSWORD/)
})

t.test(
  'no document sets a variable for one docker command, because the next command would run without it',
  async t => {
    for (const path of ['README.md', 'docs/operations.md', 'docs/scaling.md', 'compose.cluster.yaml'])
      t.notMatch(await readFile(join(root, path), 'utf8'), /^\s*#?\s*\w+=.* docker compose/m, path)
  },
)

t.test('compose.cluster.yaml: the servers have the same restrictions as in compose.yaml', async t => {
  for (const restriction of [
    /read_only: true/,
    /cap_drop: \[ALL\]/,
    /no-new-privileges:true/,
    /mem_limit: 1g/,
  ])
    t.match(cluster.slice(0, cluster.indexOf('\nservices:')), restriction)
  t.match(cluster, /^ {2}sixpane-1: \*sixpane\n {2}sixpane-2: \*sixpane$/m)
  t.notMatch(cluster, /\b(cap_add|privileged|user):/)
})

t.test('compose.cluster.yaml: uploads are stored on disk, because a tmpfs counts as used memory', async t => {
  t.match(dockerfile, /^VOLUME \/data$/m)
  t.same(cluster.match(/^ {2}tmpfs:\n(?: {4}- .*\n)*/gm), ['  tmpfs:\n    - /tmp\n'])
})

t.test('compose.cluster.yaml: only the load balancer publishes a port, on loopback', async t => {
  t.same(cluster.match(/^ {4}ports:\n(?: {6}- .*\n)*/gm), ['    ports:\n      - "127.0.0.1:3000:3000"\n'])
})

t.test('compose.cluster.yaml: the load balancer finds servers whose addresses change', async t => {
  t.match(cluster, /^ {6}resolver 127\.0\.0\.11 .*\bvalid=\d+s;$/m)
  const upstreams = cluster.match(/^ {6}upstream [^}]+\}$/gm) ?? []
  t.equal(upstreams.length, 2)
  for (const upstream of upstreams) {
    t.match(upstream, /^ {8}zone \w+ 64k;$/m)
    t.equal(upstream.match(/^ {8}server sixpane-[12]:3000\b.* resolve;$/gm)?.length, 2)
  }
})

t.test('compose.cluster.yaml: the load balancer accepts long searches', async t => {
  t.match(cluster, /^ {8}large_client_header_buffers \d+ 64k;$/m)
})

t.test('compose.cluster.yaml: the load balancer tries both servers to find an asset', async t => {
  const [location = ''] = /^ {8}location \/assets\/ \{[^}]+\}$/m.exec(cluster) ?? []
  t.match(location, /^ {10}proxy_pass http:\/\/servers;$/m)
  t.match(location, /^ {10}proxy_next_upstream error timeout http_404;$/m)
})

t.test('compose.cluster.yaml: the load balancer replaces all headers that Sixpane trusts', async t => {
  const headers = [...cluster.matchAll(/^ {8}proxy_set_header X-Forwarded-(\w+) (.+);$/gm)]
  t.same(
    headers.map(([, name, value]) => [name, value]),
    [
      ['For', '$$remote_addr'],
      ['Host', '$$http_host'],
      ['Proto', '$$scheme'],
    ],
  )
})

t.test('compose.cluster.yaml: clients cannot name a user, as with SIXPANE_AUTH=proxy', async t => {
  t.match(cluster, /^ {4}SIXPANE_AUTH: ""$/m)
  const fromEnvFile = { SIXPANE_ADMINS: 'ada' }
  const set = { HOST: '0.0.0.0', SIXPANE_TRUST_PROXY: '10.87.0.0/24', SIXPANE_AUTH: '' }
  t.throws(() => readConfig({ ...fromEnvFile, ...set }), /SIXPANE_AUTH=proxy/, 'does not start')
})

t.test('compose.cluster.yaml: SIXPANE_STORE is valid', async t => {
  const [, line = ''] = /^ {4}SIXPANE_STORE: (.+)$/m.exec(cluster) ?? []
  const store = line.replace(/\$\{CLICKHOUSE_PASSWORD:\?[^}]*\}/, 'password1')
  t.match(readConfig({ SIXPANE_STORE: store }).storeAddress, {
    url: 'http://clickhouse:8123',
    database: 'sixpane',
    password: 'password1',
  })
})

t.test('Dockerfile: the process runs as an unprivileged user', async t => {
  const lastStage = String(dockerfile.split(/^FROM .*$/m).at(-1))
  t.match(lastStage, /^USER node$/m)
  t.notMatch(lastStage, /^USER (?!node$)/m)
})
