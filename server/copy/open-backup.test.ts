import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { create } from 'tar'
import { describeFolder, manifestName } from '../backup/manifest.ts'
import type { Environment } from '../settings/setting.ts'
import { damageBlocks } from '../store/duckdb/engine/testing.ts'
import { openBackup } from './open-backup.ts'
import { folderWithBlocks, notAborted } from './testing.ts'

/** Starts a server that sends this folder as a backup. Temporary files are created in `tmp`. */
async function serveBackup(t: Test, folder: string, events: number) {
  const manifest = await describeFolder(folder, { version: '1', createdMs: 0, events })
  writeFileSync(join(folder, manifestName), JSON.stringify(manifest))
  const server = createServer((_, response) => create({ cwd: folder }, readdirSync(folder)).pipe(response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${Reflect.get(Object(server.address()), 'port')}`
}

/** Sets the folder for temporary files. */
function useTemporaryFolder(t: Test, folder: string): void {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  t.teardown(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
}

t.test('authenticates with the token, or else with the password', async t => {
  const folder = t.testdir({ secret: 'battery\n', tmp: {} })
  useTemporaryFolder(t, join(folder, 'tmp'))
  const received: (string | undefined)[] = []
  const server = createServer(({ headers }, response) => {
    received.push(headers.authorization)
    response.writeHead(401).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const origin = `http://127.0.0.1:${Reflect.get(Object(server.address()), 'port')}`
  const open = (environment: Environment) =>
    openBackup({ origin, environment, signal: notAborted, printLine: () => {} })
  const file = join(folder, 'secret')
  for (const environment of [
    {},
    { SIXPANE_TOKEN: 'sxp_1', SIXPANE_PASSWORD: 'battery' },
    { SIXPANE_TOKEN: '', SIXPANE_PASSWORD: 'battery' },
    { SIXPANE_PASSWORD: '', SIXPANE_PASSWORD_FILE: file },
  ])
    await t.rejects(open(environment), { message: /401.*Set SIXPANE_TOKEN to a token.*or SIXPANE_PASSWORD/ })
  const basic = `Basic ${btoa(':battery')}`
  t.strictSame(received, [undefined, 'Bearer sxp_1', basic, basic])
  await t.rejects(open({ SIXPANE_PASSWORD_FILE: join(folder, 'missing') }), {
    name: 'CopyError',
    message: 'SIXPANE_PASSWORD_FILE must name a file that can be read (ENOENT)',
  })
})

t.test('names a file that is damaged on the server, and leaves no temporary files', async t => {
  const folder = t.testdir({ data: {}, tmp: {} })
  useTemporaryFolder(t, join(folder, 'tmp'))
  damageBlocks(await folderWithBlocks(join(folder, 'data')))
  const origin = await serveBackup(t, join(folder, 'data'), 20_000)
  await t.rejects(openBackup({ origin, environment: {}, signal: notAborted, printLine: () => {} }), {
    name: 'CopyError',
    message: /^events-0000000000000000\.duckdb.* on http.* is damaged.*Stop Sixpane/,
  })
  t.same(readdirSync(join(folder, 'tmp')), [])
})

t.test('deletes only the folders of killed processes, even if one had the id of this process', async t => {
  const running = `sixpane-copy-${process.ppid}-running`
  const folder = t.testdir({ [running]: {}, [`sixpane-copy-${process.pid}-killed`]: { file: '' } })
  useTemporaryFolder(t, folder)
  const source = { origin: 'http://127.0.0.1:1', environment: {}, signal: notAborted, printLine: () => {} }
  await t.rejects(openBackup(source), { message: /cannot be reached/ })
  t.same(readdirSync(folder), [running])
})
