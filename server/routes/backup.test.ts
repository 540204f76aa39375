import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, mkdir, open, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { create } from 'tar'
import { startServer } from '../../scripts/test/server.ts'
import { paths } from '../../shared/paths.ts'
import { until } from '../../shared/testing/until.ts'

const run = promisify(execFile)
const dist = join(import.meta.dirname, '..', '..', 'dist')

/** Runs the `sixpane` command. Returns its exit code and its output. */
function sixpane(args: string[], env: Record<string, string>) {
  return runProgram('cli/main.js', args, env)
}

/** Runs the program that `sixpane restore` starts. */
function restoreProgram(file: string, env: Record<string, string>) {
  return runProgram('server/restore.js', [file], env)
}

async function runProgram(program: string, args: string[], env: Record<string, string>) {
  try {
    const { stdout } = await run(process.execPath, [join(dist, program), ...args], {
      env: { PATH: process.env.PATH, ...env },
    })
    return { code: 0, output: stdout }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'stderr' in error)) throw error
    return { code: error.code, output: String(error.stderr) }
  }
}

async function serverIn(t: Test, folder: string, env: Record<string, string> = {}) {
  const server = await startServer(env, { folder })
  t.teardown(() => server.stop())
  return server
}

async function messagesOf(origin: string): Promise<string[]> {
  const response = await fetch(origin + paths.export({ format: 'ndjson', range: { span: '1h' } }))
  const lines = (await response.text()).trim().split('\n')
  return lines.map(line => String(JSON.parse(line).message)).filter(body => body.startsWith('event '))
}

t.test('a backup under load contains every event that was acknowledged when it began', async t => {
  const dir = t.testdir({ store: {}, restored: {} })
  const server = await serverIn(t, join(dir, 'store'))
  const acknowledged: string[] = []
  let sent = 0
  let isSending = true
  const sendAll = async () => {
    while (isSending) {
      const first = sent
      sent += 50
      const messages = Array.from({ length: 50 }, (_, index) => `event ${first + index}`)
      await server.send(...messages.map(message => ({ service: 'shop', message })))
      acknowledged.push(...messages)
    }
  }
  const senders = Promise.all([sendAll(), sendAll()])
  await until(() => acknowledged.length >= 500)
  const map = JSON.stringify({
    version: 3,
    sources: ['a.ts'],
    names: [],
    mappings: 'AAAA',
    sourcesContent: ['a'],
  })
  const upload = `${server.origin}${paths.sourceMaps()}?release=1&path=a.js`
  t.equal((await fetch(upload, { method: 'PUT', body: map })).status, 201)
  const before = [...acknowledged]
  const file = join(dir, 'backup.tar')
  const saved = await sixpane(['backup', file], { SIXPANE_URL: server.origin })
  const sentAtEnd = sent
  isSending = false
  await senders
  t.match(saved, { code: 0, output: /^Saved .* to / })
  t.equal((await stat(file)).mode & 0o777, 0o600, 'other users cannot read the file')
  const hasCopy = () =>
    access(join(dir, 'store', 'unfinished-backup')).then(
      () => true,
      () => false,
    )
  // The server deletes the copy after sending it.
  await until(async () => !(await hasCopy()))
  const again = await until(
    () => fetch(server.origin + paths.backup()),
    ({ status }) => status !== 503,
  )
  t.equal(again.status, 200, 'another backup is possible')
  await again.body?.cancel()

  const restored = await sixpane(['restore', file], { SIXPANE_DATA: join(dir, 'restored') })
  t.match(restored, { code: 0, output: /^Restored [\d,]+ events to / })
  const copy = await serverIn(t, join(dir, 'restored'))
  const found = await messagesOf(copy.origin)
  t.equal(new Set(found).size, found.length, 'no event twice')
  t.same(
    before.filter(message => !found.includes(message)),
    [],
    'no event is missing',
  )
  t.ok(found.length <= sentAtEnd, 'no event that was sent after the backup')
  t.equal(
    (await fetch(upload.replace(server.origin, copy.origin), { method: 'PUT', body: map })).status,
    200,
    'the map',
  )
  t.equal((await readdir(join(dir, 'restored', 'source-maps'))).length, 1)
})

t.test('does not restore a damaged backup, and says why', async t => {
  const dir = t.testdir({
    store: {},
    full: { notes: 'mine' },
    folder: { a: 'b' },
    interrupted: { restoring: { a: 'b' }, 'lost+found': {} },
  })
  const server = await serverIn(t, join(dir, 'store'))
  await server.send({ service: 'shop', message: 'event 1' })
  const file = join(dir, 'backup.tar')
  t.match(await sixpane(['backup', file], { SIXPANE_URL: server.origin }), { code: 0 })
  const content = await readFile(file)
  const restore = async (from: string, target = join(dir, randomUUID())) => {
    const result = await restoreProgram(from, { SIXPANE_DATA: target })
    return { ...result, left: (await readdir(target).catch(() => [])).length }
  }
  const damaged = async (name: string, change: (path: string) => Promise<unknown>) => {
    const path = join(dir, name)
    await writeFile(path, content)
    await change(path)
    return restore(path)
  }
  const overwrite = async (path: string, at: number) => {
    const target = await open(path, 'r+')
    await target.write(Buffer.from('damage'), 0, 6, at)
    await target.close()
  }
  t.match(await damaged('cut', path => truncate(path, content.length - 4096)), { code: 1, left: 0 })
  t.match(await damaged('half', path => truncate(path, content.length / 2)), { code: 1, left: 0 })
  t.match(await damaged('changed', path => overwrite(path, 600)), {
    code: 1,
    output: /is damaged/,
    left: 0,
  })
  t.match(await damaged('empty', path => truncate(path, 0)), { code: 1, left: 0 })
  t.match(await damaged('text', path => writeFile(path, 'hello')), { code: 1, left: 0 })
  await create({ cwd: join(dir, 'folder'), file: join(dir, 'other.tar') }, ['a'])
  t.match(await restore(join(dir, 'other.tar')), { code: 1, output: /not a Sixpane backup/, left: 0 })
  await symlink('/etc/passwd', join(dir, 'folder', 'link'))
  await create({ cwd: join(dir, 'folder'), file: join(dir, 'link.tar') }, ['link'])
  t.match(await restore(join(dir, 'link.tar')), { code: 1, left: 0 })
  t.match(await restore(join(dir, 'missing.tar')), { code: 1, output: /is not a file/, left: 0 })
  t.match(await restore(file, join(dir, 'full')), { code: 1, output: /is not empty/, left: 1 })
  t.match(await restore(file, join(dir, 'store')), { code: 1, output: /is not empty/ }, 'a running store')
  t.match(await restore(file), { code: 0 }, 'the intact backup')
  t.match(
    await restore(file, join(dir, 'interrupted')),
    { code: 0 },
    'on a volume, after an interrupted restore',
  )
  t.notOk((await readdir(join(dir, 'interrupted'))).includes('restoring'))
})

/** Returns the source of a module that runs a statement to interrupt a restore after some files have been moved. */
const interruption = (moves: number, action: string) => `
  import fs from 'node:fs/promises'
  import { syncBuiltinESMExports } from 'node:module'
  const { rename } = fs
  let moves = ${moves}
  fs.rename = async (...paths) => {
    if (moves === 0) ${action}
    moves -= 1
    return rename(...paths)
  }
  syncBuiltinESMExports()
`

t.test('the server does not start with a partially restored backup', async t => {
  const dir = t.testdir({ store: {} })
  const server = await serverIn(t, join(dir, 'store'))
  await server.send({ service: 'shop', message: 'event 1' })
  const upload = `${server.origin}${paths.sourceMaps()}?release=1&path=a.js`
  const map = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA', sourcesContent: ['a'] }
  t.equal((await fetch(upload, { method: 'PUT', body: JSON.stringify(map) })).status, 201)
  const file = join(dir, 'backup.tar')
  t.match(await sixpane(['backup', file], { SIXPANE_URL: server.origin }), { code: 0 })
  for (const [moves, action] of [
    [0, 'process.kill(process.pid, "SIGKILL")'],
    [1, 'process.kill(process.pid, "SIGKILL")'],
    [2, 'process.kill(process.pid, "SIGKILL")'],
    [1, 'throw new Error("The disk failed")'],
  ] as const) {
    const folder = join(dir, randomUUID())
    const script = join(dir, 'interrupt.mjs')
    await writeFile(script, interruption(moves, action))
    const env = { SIXPANE_DATA: folder, NODE_OPTIONS: `--import=${script}` }
    t.not((await restoreProgram(file, env)).code, 0)
    t.equal((await readdir(folder)).length, moves + 1)
    await t.rejects(serverIn(t, folder), /A backup was not completely restored/, `${moves} moves, ${action}`)
  }
})

t.test('a backup that fails leaves no file', async t => {
  const dir = t.testdir({ store: {} })
  const server = await serverIn(t, join(dir, 'store'), { SIXPANE_PASSWORD: 'correct horse' })
  const file = join(dir, 'backup.tar')
  const refused = await sixpane(['backup', file], { SIXPANE_URL: server.origin })
  t.match(refused, { code: 1, output: /responded with 401: Authentication required/ })
  t.same((await readdir(dir)).sort(), ['store'])
  await mkdir(join(dir, 'store', 'unfinished-backup'))
  const SIXPANE_PASSWORD_FILE = join(dir, 'store', 'password')
  t.match(await sixpane(['backup', file], { SIXPANE_URL: server.origin, SIXPANE_PASSWORD_FILE }), {
    code: 2,
    output: /SIXPANE_PASSWORD_FILE cannot be read \(ENOENT\)/,
  })
  await writeFile(SIXPANE_PASSWORD_FILE, 'correct horse\n')
  t.match(
    await sixpane(['backup', file], { SIXPANE_URL: server.origin, SIXPANE_PASSWORD_FILE }),
    { code: 0 },
    'an unfinished copy does not prevent a backup',
  )
  const content = await readFile(file)
  const proxy = createServer((_, response) => response.end(content.subarray(0, content.length / 2)))
  t.teardown(() => proxy.close())
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = proxy.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  t.match(await sixpane(['backup', join(dir, 'half.tar')], { SIXPANE_URL: url }), {
    code: 1,
    output: /the download ended early/,
  })
  t.same((await readdir(dir)).sort(), ['backup.tar', 'store'])
})
