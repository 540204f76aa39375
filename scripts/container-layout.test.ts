/**
 * Assembles the Dockerfile's last stage and runs it like a container: as an unprivileged user and PID 1, with a read-only
 * root, and only /data and /tmp writable. Requires bubblewrap, but no container engine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { reservePort } from '../shared/testing/reserve-port.ts'
import { root } from './prepare/root.mjs'
import { run } from './prepare/run.mjs'
import { sandboxProblem } from './test/sandbox.mjs'

const problem = await sandboxProblem()
const password = 'correct horse battery'

t.test(
  'the server in the image serves pages, stores an event and stops cleanly',
  { skip: problem ?? false },
  async t => {
    const folder = await mkdtemp(join(tmpdir(), 'sixpane-layout-'))
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    const lastStage = String((await readFile(join(root, 'Dockerfile'), 'utf8')).split(/^FROM .*$/m).at(-1))
    const app = await assemble(lastStage, folder)

    const { dependencies } = JSON.parse(await readFile(join(app, 'dist/package.json'), 'utf8'))
    t.same(Object.keys(dependencies), ['@duckdb/node-bindings'], 'only one dependency is installed')
    const repository = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    const bundled = Object.keys({ ...repository.dependencies, ...repository.devDependencies }).filter(
      name => dependencies[name] === undefined,
    )
    const isInstalled = (name: string) =>
      readFile(join(app, 'node_modules', name, 'package.json')).then(Boolean, () => false)
    t.ok(await isInstalled(String(Object.keys(dependencies)[0])))
    for (const name of bundled) t.notOk(await isInstalled(name), `${name} is not installed`)

    const env = { ...environmentOf(lastStage), PORT: String(await reservePort(t)) }
    const unprotected = contain(folder, env, commandOf(lastStage, /^CMD (.*)$/m))
    t.match(await text(unprotected.stderr), /SIXPANE_PASSWORD/, 'does not start without authentication')
    t.equal(await exitCode(unprotected), 1)

    const server = contain(
      folder,
      { ...env, SIXPANE_PASSWORD: password },
      commandOf(lastStage, /^CMD (.*)$/m),
    )
    t.teardown(() => server.child.kill('SIGKILL'))
    const port = await portOf(server)
    const url = (path: string) => `http://127.0.0.1:${port}${path}`
    t.equal((await fetch(url('/livez'))).status, 200)
    t.equal((await fetch(url('/readyz'))).status, 200)
    t.equal((await fetch(url('/'))).status, 401)
    const authorization = `Basic ${Buffer.from(`sixpane:${password}`).toString('base64')}`
    const body = '{"level":50,"name":"shop","msg":"no longer than this test"}\n'
    const sent = await fetch(url('/ingest'), { method: 'POST', headers: { authorization }, body })
    t.match(await sent.json(), { accepted: 1, rejected: 0 })
    t.match(
      await (await fetch(url('/activities'), { headers: { authorization } })).text(),
      'no longer than this test',
    )

    const healthcheck = commandOf(lastStage, /^HEALTHCHECK [\s\S]*?CMD (.*)$/m)
    t.equal(
      await exitCode(contain(folder, { ...env, PORT: port }, healthcheck)),
      0,
      'the health check succeeds',
    )

    process.kill(await firstProcess(server), 'SIGTERM')
    t.equal(await exitCode(server), 0, 'stops on SIGTERM')
    t.not(
      await exitCode(contain(folder, { ...env, PORT: port }, healthcheck)),
      0,
      'the health check fails once the server has stopped',
    )
  },
)

/** Executes the COPY lines of the last stage. Returns the folder that becomes /app in the image. */
async function assemble(stage: string, folder: string): Promise<string> {
  const app = join(folder, 'app')
  const stages: Record<string, string> = { packages: join(folder, 'packages'), build: root }
  await mkdir(join(folder, 'packages'))
  await mkdir(join(folder, 'data'))
  for (const name of ['package.json', 'package-lock.json'])
    await cp(join(root, 'dist', name), join(folder, 'packages', name))
  const install = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', join(folder, 'packages')]
  const { code, output } = await run('npm', install)
  if (code !== 0) throw new Error(output)

  for (const [, from, words = ''] of stage.matchAll(/^COPY (?:--from=(\w+) )?(.*)$/gm)) {
    const sources = words.split(' ')
    const target = String(sources.pop())
    for (const source of sources) {
      const path = join(from === undefined ? root : String(stages[from]), source.replace(/^\/app\//, ''))
      await cp(path, join(app, target.endsWith('/') ? join(target, source) : target), {
        recursive: true,
        verbatimSymlinks: true,
      })
    }
  }
  return app
}

function environmentOf(stage: string): Record<string, string> {
  const pairs = /^ENV (.*)$/m.exec(stage)?.[1]?.split(' ') ?? []
  return Object.fromEntries(pairs.map(pair => pair.split('=', 2)))
}

function commandOf(stage: string, pattern: RegExp): string[] {
  return JSON.parse(String(pattern.exec(stage)?.[1]))
}

/** `info` is the JSON that bubblewrap prints about the process. */
type Contained = { child: ChildProcess; stdout: Readable; stderr: Readable; info: Readable }

/** Runs a command with read access to the system's files and /app, and write access to /data and an empty /tmp. */
function contain(folder: string, env: Record<string, string>, [node, ...args]: string[]): Contained {
  const system = ['/usr', '/bin', '/lib', '/lib64'].flatMap(path => ['--ro-bind-try', path, path])
  const child = spawn(
    'bwrap',
    [
      ...[
        '--unshare-user',
        '--uid',
        '10001',
        '--gid',
        '10001',
        '--unshare-pid',
        '--as-pid-1',
        '--unshare-ipc',
      ],
      ...['--die-with-parent', '--cap-drop', 'ALL', '--clearenv', '--info-fd', '3'],
      ...system,
      ...[
        '--ro-bind',
        process.execPath,
        '/node',
        '--ro-bind',
        join(folder, 'app'),
        '/app',
        '--bind',
        join(folder, 'data'),
        '/data',
      ],
      ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--remount-ro', '/', '--chdir', '/app'],
      ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
      ...['--', node === 'node' ? '/node' : String(node), ...args],
    ],
    { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
  )
  const [, stdout, stderr, info] = child.stdio
  if (stdout === null || stderr === null || !(info instanceof Readable)) throw new Error('A pipe is missing')
  return { child, stdout, stderr, info }
}

async function exitCode({ child }: Contained): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Reads the port from the server's log. */
async function portOf(server: Contained): Promise<string> {
  let errorOutput = ''
  server.stderr.on('data', chunk => {
    errorOutput += chunk
  })
  for await (const line of createInterface({ input: server.stdout })) {
    const { address } = JSON.parse(line)
    if (address !== undefined) {
      server.stdout.resume()
      return new URL(address).port
    }
  }
  throw new Error(`The server exited: ${errorOutput}`)
}

/** Returns the host process id of the container's first process. */
async function firstProcess({ info }: Contained): Promise<number> {
  return JSON.parse(await text(info))['child-pid']
}
