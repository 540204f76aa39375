/**
 * Builds the image and runs it. Requires buildah and a local copy of the base image, because a test must not download it:
 * `buildah pull docker.io/library/node:24-bookworm-slim`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { reservePort } from '../shared/testing/reserve-port.ts'
import { root } from './prepare/root.mjs'
import { run } from './prepare/run.mjs'

const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8')
const [, base = ''] = /^FROM (\S+) AS build$/m.exec(dockerfile) ?? []
const image = `localhost/sixpane-test-${process.pid}`
const password = 'correct horse battery'

async function problemHere(): Promise<string | false> {
  if ((await run('buildah', ['--version'])).code !== 0) return 'buildah is not installed'
  const { output } = await run('buildah', ['images', '--quiet', `docker.io/library/${base}`])
  return /^[\da-f]{12}/m.test(output) ? false : `the base image ${base} is not available locally`
}

async function buildah(...args: string[]): Promise<string> {
  const { code, output } = await run('buildah', args)
  if (code !== 0) throw new Error(`buildah ${args.join(' ')}: ${output}`)
  return output.trim()
}

t.test('the image contains only runtime files, and serves pages', { skip: await problemHere() }, async t => {
  await buildah('build', '--isolation', 'chroot', '--pull-never', '--network', 'host', '--tag', image, root)
  t.teardown(() => buildah('rmi', image))
  const container = await buildah('from', '--pull-never', image)
  t.teardown(() => buildah('rm', container))
  const inside = (...command: string[]) =>
    buildah('run', '--isolation', 'chroot', container, '--', ...command)

  const lines = async (...command: string[]) => (await inside(...command)).split('\n').sort()
  t.same(await lines('ls', '-A', '/app'), ['LICENSE', 'dist', 'node_modules'])
  const packages = await lines(
    'find',
    '/app/node_modules',
    '-name',
    'package.json',
    '-not',
    '-path',
    '*/lib/*',
  )
  t.ok(packages.length > 0)
  for (const path of packages) {
    t.match(path, /^\/app\/node_modules\/(?:@duckdb\/node-bindings|detect-libc)/, 'no development packages')
  }
  const files = await lines('find', '/app', '-type', 'f')
  const unwanted = /(?:^|\/)\.npmrc$|\.pem$|\.env|(?<!\.d)\.tsx?$|\.test\.|\.duckdb$/
  t.same(
    files.filter(file => unwanted.test(file)),
    [],
    'no secrets, sources, tests or data',
  )
  t.ok(files.includes('/app/dist/sbom.json'))
  t.notMatch(await buildah('inspect', image), /"SIXPANE_PASSWORD|TOKEN=/)

  const port = await reservePort(t)
  const env = { SIXPANE_PASSWORD: password, HOST: '127.0.0.1', PORT: String(port) }
  const server = spawn(
    'buildah',
    [
      ...['run', '--isolation', 'chroot', '--user', 'node', '--network', 'host'],
      ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
      ...[container, '--', 'node', 'dist/server/main.js'],
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  t.teardown(() => server.kill('SIGKILL'))
  const ended = once(server, 'close')
  for await (const line of createInterface({ input: server.stdout })) {
    if (line.includes('"msg":"Started"')) break
  }
  const statusOf = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status
  const authorization = `Basic ${Buffer.from(`any:${password}`).toString('base64')}`
  t.equal(await statusOf('/readyz'), 200)
  t.equal(await statusOf('/'), 401)
  t.equal(await statusOf('/', { authorization }), 200)
  server.kill('SIGTERM')
  await ended
  await t.rejects(statusOf('/livez'), 'the server has stopped')
})
