import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DuckDBInstance } from '@duckdb/node-api'
import t, { type Test } from 'tap'
import { startServer } from '../scripts/test/server.ts'
import { reservePort } from '../shared/testing/reserve-port.ts'
import { diagnose } from './doctor/diagnose.ts'
import { anEvent } from './store/conformance/testing.ts'
import { openDuckDbStore } from './store/duckdb/store.ts'

const run = promisify(execFile)
const command = join(import.meta.dirname, '..', 'dist', 'cli', 'main.js')

const defaults = { SIXPANE_RETENTION_GB: '0.1', PORT: '0' }

/** Diagnoses a server with these variables. Returns the exit code and the output. */
function doctor(env: Record<string, string>): Promise<{ code: number; output: string }> {
  return diagnose({ ...defaults, ...env })
}

/** Runs the built `sixpane doctor`. Returns its exit code and output. */
async function doctorCommand(env: Record<string, string>): Promise<{ code: unknown; output: string }> {
  try {
    const { stdout } = await run(process.execPath, [command, 'doctor'], {
      env: { PATH: process.env.PATH, ...defaults, ...env },
    })
    return { code: 0, output: stdout }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'stdout' in error)) throw error
    return { code: error.code, output: String(error.stdout) }
  }
}

async function httpServer(t: Test, listener: RequestListener): Promise<{ origin: string; port: string }> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  const port = String(typeof address === 'object' && address !== null ? address.port : '')
  return { origin: `http://127.0.0.1:${port}`, port }
}

/** Creates a store with an event that was accepted at `acceptedMs`. */
async function storeIn(folder: string, acceptedMs = Date.now(), webhookUrl?: string): Promise<void> {
  process.umask(0o077)
  const store = await openDuckDbStore({ folder, nowMs: () => acceptedMs })
  await store.append([anEvent()])
  if (webhookUrl !== undefined) {
    const conditions = { newFailure: true, returnedFailure: true, errorRatio: null }
    await store.webhooks.add({
      id: 'w',
      name: 'On call',
      url: webhookUrl,
      secret: 's',
      createdMs: 1,
      conditions,
    })
  }
  await store.close()
}

t.test('finds no problem before the first start, while the server is stopped, or while it runs', async t => {
  const dir = t.testdir({})
  const SIXPANE_DATA = join(dir, 'data')
  t.match(await doctor({ SIXPANE_DATA }), {
    code: 0,
    output: /creates it when it starts[\s\S]*No problems found/,
  })
  await storeIn(SIXPANE_DATA)
  // Looks like `lost+found`, which only root can read.
  await mkdir(join(SIXPANE_DATA, 'lost+found'), 0o000)
  const before = (await readdir(SIXPANE_DATA)).sort()
  t.match(await doctor({ SIXPANE_DATA }), {
    code: 0,
    output: /1 events? can be read[\s\S]*No problems found/,
  })
  t.same((await readdir(SIXPANE_DATA)).sort(), before, 'the command changes nothing')
  const server = await startServer({}, { folder: SIXPANE_DATA })
  t.teardown(() => server.stop())
  const { port } = new URL(server.origin)
  // Looks like a segment that the server deletes during the checks.
  await symlink(join(dir, 'deleted'), join(SIXPANE_DATA, 'events-deleted.duckdb'))
  const running = await doctor({ SIXPANE_DATA, PORT: port, SIXPANE_PUBLIC_URL: server.origin })
  t.match(running, { code: 0, output: /Sixpane is running[\s\S]*leads to Sixpane[\s\S]*No problems found/ })
  const env = { SIXPANE_DATA, PORT: port, SIXPANE_PUBLIC_URL: server.origin }
  // Other programs on the machine change how much of the disk is free.
  const withoutFree = ({ output }: { output: string }) => output.replace(/[\d.]+ \wB is free/, 'N GB is free')
  t.equal(
    withoutFree(await doctorCommand(env)),
    withoutFree(running),
    'the built command has the same output',
  )
  t.match(await doctorCommand({ ...env, PORT: 'http' }), {
    code: 1,
    output: /✘ Configuration: PORT must be .*\n1 problem\n$/,
  })
  const elsewhere = join(dir, 'elsewhere')
  t.match(
    await doctor({ SIXPANE_DATA: elsewhere, PORT: port }),
    {
      code: 0,
      output:
        /! Store: .*elsewhere does not exist.* Set SIXPANE_DATA to the folder that the server uses[\s\S]*\n1 warning\n$/,
    },
    'the running server uses another folder',
  )
})

/** Broken set-ups. `prepare` creates one in a folder and returns its environment. */
const broken: Readonly<
  Record<string, { prepare(folder: string, t: Test): Promise<Record<string, string>>; finds: RegExp }>
> = {
  'an invalid setting': {
    prepare: async () => ({ PORT: 'http', SIXPANE_PASSWORD: 'short' }),
    finds: /✘ Configuration: PORT must be .*\n✘ Configuration: SIXPANE_PASSWORD must have/,
  },
  'a secret file that does not exist': {
    prepare: async folder => ({ SIXPANE_PASSWORD_FILE: join(folder, 'password') }),
    finds: /✘ Configuration: SIXPANE_PASSWORD_FILE must name a file that can be read/,
  },
  'sign-in without a list of users': {
    prepare: async () => ({ SIXPANE_AUTH: 'proxy', SIXPANE_TRUST_PROXY: '127.0.0.1' }),
    finds: /✘ Configuration: SIXPANE_AUTH=proxy must be set together with SIXPANE_ADMINS/,
  },
  'a data folder that is a file': {
    prepare: async folder => {
      await writeFile(join(folder, 'data'), '')
      return {}
    },
    finds: /✘ Store: .* is a file, or inside one\. Set SIXPANE_DATA to a folder/,
  },
  'a data folder that cannot be created': {
    prepare: async () => ({ SIXPANE_DATA: '/proc/sixpane/data' }),
    finds: /✘ Store: .* cannot be created/,
  },
  'a damaged store': {
    prepare: async folder => {
      await storeIn(join(folder, 'data'))
      const name = (await readdir(join(folder, 'data'))).find(each => each.startsWith('events-')) ?? ''
      await writeFile(join(folder, 'data', name), 'x'.repeat(20_000))
      return {}
    },
    finds: /✘ Store: The store in .* is damaged: restore the damaged file from a backup/,
  },
  'a store from a newer version': {
    prepare: async folder => {
      await storeIn(join(folder, 'data'))
      const instance = await DuckDBInstance.create(join(folder, 'data', 'workspace.duckdb'))
      const connection = await instance.connect()
      await connection.run('UPDATE layout SET version = 999')
      connection.closeSync()
      instance.closeSync()
      return {}
    },
    finds: /✘ Store: The store was written by a newer version/,
  },
  'a store that another process uses': {
    prepare: async (folder, t) => {
      const server = await startServer({}, { folder: join(folder, 'data') })
      t.teardown(() => server.stop())
      return {}
    },
    finds: /✘ Store: .* is in use by another process/,
  },
  'a port that another program uses': {
    prepare: async (_folder, t) => ({
      PORT: (await httpServer(t, (_, response) => response.end('{"status":"ok"}'))).port,
    }),
    finds: /✘ Server: Another program uses port \d+/,
  },
  'an address of another machine': {
    prepare: async () => ({ HOST: '192.0.2.1', SIXPANE_PASSWORD: 'long enough' }),
    finds: /✘ Server: 192\.0\.2\.1 is not an address of this machine/,
  },
  'a disk that is smaller than the retention limit': {
    prepare: async folder => {
      await storeIn(join(folder, 'data'))
      return { SIXPANE_RETENTION_GB: '100000' }
    },
    finds: /✘ Disk: Retention allows 100 TB .* Set SIXPANE_RETENTION_GB to at most/,
  },
  'a disk that is too small because of a backup, which retention cannot delete': {
    prepare: async folder => {
      await storeIn(join(folder, 'data'))
      const backup = join(folder, 'data/sixpane.tar')
      await writeFile(backup, '')
      await truncate(backup, 8e12)
      return { SIXPANE_RETENTION_GB: '6000' }
    },
    finds: /✘ Disk: Retention allows 6 TB/,
  },
  'a clock that is behind': {
    prepare: async folder => {
      await storeIn(join(folder, 'data'), Date.now() + 3_600_000)
      return {}
    },
    finds: /✘ Clock: The newest event was accepted .* in the future/,
  },
  'a webhook that cannot be reached': {
    prepare: async folder => {
      await storeIn(join(folder, 'data'), Date.now(), 'http://127.0.0.1:1/secret-path')
      return {}
    },
    finds: /✘ Webhook: On call: http:\/\/127\.0\.0\.1:1 cannot be reached/,
  },
  'an OTLP collector that cannot be reached': {
    prepare: async () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1/secret-path' }),
    finds: /✘ Spans: http:\/\/127\.0\.0\.1:1 cannot be reached/,
  },
  'an OpenID provider that cannot be reached': {
    prepare: async () => oidc('http://127.0.0.1:1'),
    finds: /✘ Sign-in: http:\/\/127\.0\.0\.1:1\/\.well-known\/openid-configuration cannot be read/,
  },
  'a provider with another issuer': {
    prepare: async (_folder, t) => oidc((await provider(t, { issuer: 'http://127.0.0.1:1' })).origin),
    finds: /✘ Sign-in: The issuer field in .* Set SIXPANE_OIDC_ISSUER to exactly the value of that field/,
  },
  'a provider whose clock differs': {
    prepare: async (_folder, t) => {
      const { origin } = await provider(t, { aheadMs: -300_000 })
      return oidc(origin)
    },
    finds: /✘ Sign-in: The clocks of this machine and .* differ by (?:299|30\d) seconds/,
  },
  'a public URL that leads elsewhere': {
    prepare: async (folder, t) => {
      const server = await startServer({}, { folder: join(folder, 'data') })
      t.teardown(() => server.stop())
      const { origin } = await httpServer(t, (_, response) => response.end('{"status":"ok"}'))
      return { PORT: new URL(server.origin).port, SIXPANE_PUBLIC_URL: origin }
    },
    finds: /✘ Public URL: .* leads to another server/,
  },
}

function oidc(issuer: string): Record<string, string> {
  return {
    SIXPANE_OIDC_ISSUER: issuer,
    SIXPANE_OIDC_CLIENT_ID: 'sixpane',
    SIXPANE_OIDC_CLIENT_SECRET: 'a secret of the client',
    SIXPANE_ADMINS: '*',
  }
}

type ProviderOptions = {
  issuer?: string
  /** How far ahead the `Date` header of responses is. */
  aheadMs?: number
  /** The `Age` header of responses. */
  age?: string
}

async function provider(t: Test, { issuer, aheadMs = 0, age }: ProviderOptions) {
  const { origin, port } = await httpServer(t, (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.setHeader('date', new Date(Date.now() + aheadMs).toUTCString())
    if (age !== undefined) response.setHeader('age', age)
    response.end(JSON.stringify({ issuer: issuer ?? origin, jwks_uri: `${origin}/jwks` }))
  })
  return { origin, port }
}

for (const [name, { prepare, finds }] of Object.entries(broken)) {
  t.test(`finds ${name}`, async t => {
    const dir = t.testdir({})
    const env = await prepare(dir, t)
    const { code, output } = await doctor({ SIXPANE_DATA: join(dir, 'data'), ...env })
    t.match(output, finds)
    t.match(output, /\n(\d+ warnings?, )?\d+ problems?\n$/)
    t.equal(code, 1)
    t.notMatch(output, /secret-path|a secret of the client|at \S+\.js:\d/, 'no secret and no stack trace')
  })
}

t.test('the age of a cached provider response is not mistaken for a clock difference', async t => {
  const doctorWith = async (options: ProviderOptions) =>
    doctor({ SIXPANE_DATA: join(t.testdir(), 'data'), ...oidc((await provider(t, options)).origin) })
  t.match(await doctorWith({ aheadMs: -300_000, age: '300' }), { code: 0, output: /✔ Sign-in/ })
  t.match(await doctorWith({ age: 'unknown' }), { code: 0, output: /✔ Sign-in/ })
  t.match(await doctorWith({ aheadMs: -600_000, age: '300' }), {
    code: 1,
    output: /✘ Sign-in: .* differ by (?:299|30\d) seconds/,
  })
})

t.test('accepts a public URL whose proxy requires sign-in', async t => {
  const folder = t.testdir()
  const server = await startServer({}, { folder })
  t.teardown(() => server.stop())
  let status = 302
  const { origin } = await httpServer(t, (_, response) => {
    response.writeHead(status, { location: 'http://sign-in.invalid/' }).end('Sign in')
  })
  const proxied = { SIXPANE_AUTH: 'proxy', SIXPANE_TRUST_PROXY: '127.0.0.1', SIXPANE_ADMINS: '*' }
  const doctorWith = (env: Record<string, string>) =>
    doctor({ SIXPANE_DATA: folder, PORT: new URL(server.origin).port, SIXPANE_PUBLIC_URL: origin, ...env })
  for (status of [302, 401, 403])
    t.match(await doctorWith(proxied), {
      code: 0,
      output: new RegExp(`✔ Public URL: .* requires sign-in \\(status ${status}\\)`),
    })
  t.match(await doctorWith({ SIXPANE_AUTH: 'none' }), {
    code: 0,
    output: /✔ Public URL: .* requires sign-in/,
  })
  t.match(await doctorWith({}), {
    code: 1,
    output: /✘ Public URL: .* leads to another server \(status 403\)/,
  })
  status = 404
  t.match(await doctorWith(proxied), { code: 1, output: /✘ Public URL: .* another server \(status 404\)/ })
})

t.test('compares the disk space with the retention limit that is in effect', async t => {
  const dir = t.testdir({})
  const env = { SIXPANE_DATA: join(dir, 'data'), SIXPANE_RETENTION_GB: '100000' }
  const store = await openDuckDbStore({ folder: env.SIXPANE_DATA })
  t.teardown(() => store.close())
  t.match(
    await doctorCommand(env),
    {
      output:
        /! Disk: .* Set SIXPANE_RETENTION_GB to at most [\d.]+ unless the limit was changed on \/settings/,
    },
    'another process uses the store',
  )
  await store.settings.save([{ name: 'SIXPANE_RETENTION_GB', value: '0.1' }], 1)
  await store.close()
  t.match(await doctor(env), { code: 0, output: /✔ Disk/ })
})

t.test('ignores the variables that Kubernetes sets for a service called sixpane', async t => {
  const SIXPANE_DATA = join(t.testdir(), 'data')
  const injected = {
    SIXPANE_PORT: 'tcp://10.0.0.1:3000',
    SIXPANE_PORT_3000_TCP: 'tcp://10.0.0.1:3000',
    SIXPANE_PORT_3000_TCP_ADDR: '10.0.0.1',
    SIXPANE_SERVICE_HOST: '10.0.0.1',
    SIXPANE_SERVICE_PORT: '3000',
    SIXPANE_SERVICE_PORT_HTTP: '3000',
  }
  t.match(await doctor({ SIXPANE_DATA, ...injected }), { code: 0, output: /No problems found/ })
  t.match(
    await doctor({ SIXPANE_DATA, SIXPANE_PORT: '3000' }),
    { output: /! Configuration: Sixpane has no setting SIXPANE_PORT\./ },
    'outside Kubernetes, this is a mistake',
  )
})

t.test('warns about a setting that only looks like one of the clients', async t => {
  const SIXPANE_DATA = join(t.testdir(), 'data')
  t.match(await doctor({ SIXPANE_DATA, SIXPANE_SERVICE: 'shop', SIXPANE_RELEASE: '1' }), {
    output: /! Configuration: Sixpane has no setting SIXPANE_SERVICE\./,
  })
})

t.test('warns about risks and misspelled settings', async t => {
  const dir = t.testdir({})
  await mkdir(join(dir, 'data', 'damaged', 'a'), { recursive: true })
  const env = { HOST: '0.0.0.0', SIXPANE_AUTH: 'none', SIXPANE_PASWORD: 'x', SIXPANE_ENGINE_MB: '1000000' }
  const { code, output } = await doctor({ SIXPANE_DATA: join(dir, 'data'), ...env })
  t.equal(code, 0)
  t.match(output, /! Configuration: Sixpane has no setting SIXPANE_PASWORD/)
  t.match(
    output,
    /! Configuration: Everyone who can connect to Sixpane is an administrator, because HOST is 0\.0\.0\.0/,
  )
  t.match(output, /! Configuration: SIXPANE_ENGINE_MB is 1 TB, more than half/)
  t.match(output, /! Store: Damaged files were set aside/)
  t.match(output, /\n4 warnings\n$/)
  const SIXPANE_STORE = `clickhouse://app:correct-horse@127.0.0.1:${await reservePort(t)}/logs`
  const unreachable = await doctor({ SIXPANE_STORE, SIXPANE_ENGINE_MB: '500' })
  t.match(unreachable, {
    code: 1,
    output: /! Configuration: SIXPANE_ENGINE_MB has no effect[\s\S]*\n1 warning, 1 problem\n$/,
  })
  t.match(unreachable.output, /✘ Store: ClickHouse at https:\/\/127\.0\.0\.1:\d+ cannot be reached/)
  t.notMatch(unreachable.output, 'correct-horse')
})
