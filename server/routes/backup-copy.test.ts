import { once } from 'node:events'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { paths } from '../../shared/paths.ts'
import { until } from '../../shared/testing/until.ts'
import type { Context } from '../context.ts'
import { createHttpApp } from '../http-app.ts'
import { readConfig } from '../settings/config.ts'
import { fakeContext } from '../testing/fake-context.ts'

/** Starts a server with the given copy function. `sent` resolves when the server begins to send its first response. */
async function serve(t: Test, backup: Context['backup'], dir = t.testdir({})) {
  const app = await createHttpApp(fakeContext({ config: readConfig({ SIXPANE_DATA: dir }), backup }))
  app.get('/endless', { config: { access: 'public' } }, () => new Promise(() => {}))
  t.teardown(() => app.close())
  const sent = new Promise<void>(resolve => {
    app.addHook('onSend', async () => resolve())
  })
  const sockets: Socket[] = []
  app.server.on('connection', socket => sockets.push(socket))
  const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}${paths.backup()}`
  return { url, sockets, sent }
}

/** Requests a backup until no other backup is running. Returns the status. */
function statusOfNext(url: string): Promise<number> {
  return until(
    async () => {
      const response = await fetch(url)
      // The connection of an unread response would delay the end of the test.
      await response.arrayBuffer()
      return response.status
    },
    status => status !== 503,
  )
}

t.test('the connection may be idle during the copy, but not while the client should be reading', async t => {
  const limitsMs: (number | undefined)[] = []
  const { url, sockets } = await serve(t, async folder => {
    limitsMs.push(sockets[0]?.timeout)
    await writeFile(join(folder, 'file'), 'content')
    return 1
  })
  const [response]: IncomingMessage[] = await once(get(url, { agent: false }), 'response')
  limitsMs.push(sockets[0]?.timeout)
  if (response !== undefined) t.match(await text(response), /content/)
  t.same(limitsMs, [0, 60_000])
})

t.test('a client that disconnects ends its copy, so that another backup can start', async t => {
  let started = () => {}
  const copying = new Promise<void>(resolve => {
    started = resolve
  })
  let isFirst = true
  const { url } = await serve(t, async (_, signal) => {
    if (!isFirst) return 0
    isFirst = false
    started()
    await once(signal, 'abort')
    throw signal.reason
  })
  const request = get(url, { agent: false }).on('error', () => {})
  await copying
  t.equal((await fetch(url)).status, 503, 'one backup at a time')
  request.destroy()
  t.equal(await statusOfNext(url), 200)
})

t.test(
  'a client that disconnects while its backup waits for another response does not prevent the next backup',
  async t => {
    for (const moment of ['during the copy', 'after the copy']) {
      const { url, sockets, sent } = await serve(t, async folder => {
        // Too large for the response's buffer.
        await writeFile(join(folder, 'file'), Buffer.alloc(1_000_000))
        if (moment === 'during the copy') await disconnect()
        return 1
      })
      const disconnect = async () => {
        const [socket] = sockets
        if (socket?.destroy().closed === false) await once(socket, 'close')
      }
      const client = connect(Number(new URL(url).port), '127.0.0.1')
      t.teardown(() => client.destroy())
      for (const path of ['/endless', paths.backup()])
        client.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      await sent
      await disconnect()
      t.equal(await statusOfNext(url), 200, moment)
    }
  },
)

t.test('a client that disconnects while files are still being added does not crash the server', async t => {
  const { url } = await serve(t, async folder => {
    for (let index = 0; index < 200; index++)
      await writeFile(join(folder, `file-${index}`), Buffer.alloc(20_000))
    return 1
  })
  const [response]: IncomingMessage[] = await once(get(url, { agent: false }), 'response')
  response?.destroy()
  t.equal(await statusOfNext(url), 200)
})

t.test("a backup deletes only its own copy, not the operator's folders, even if it fails", async t => {
  const folders = ['backup', 'backups']
  const dir = t.testdir(Object.fromEntries(folders.map(name => [name, { 'old.tar': 'content' }])))
  let backups = 0
  const { url } = await serve(
    t,
    async () => {
      backups += 1
      if (backups === 1) throw new Error('The disk is broken')
      return 0
    },
    dir,
  )
  t.equal(await statusOfNext(url), 500)
  t.same(await readdir(dir), folders)
  t.equal(await statusOfNext(url), 200)
  await until(
    () => readdir(dir),
    names => names.length === folders.length,
  )
  for (const name of folders) t.same(await readdir(join(dir, name)), ['old.tar'])
})

t.test('a copy that cannot be deleted neither crashes the server nor prevents the next backup', async t => {
  const parent = t.testdir({ data: {} })
  const dir = join(parent, 'data')
  const { url } = await serve(
    t,
    async folder => {
      // Too large for the response's buffer.
      await writeFile(join(folder, 'file'), Buffer.alloc(10_000_000))
      return 1
    },
    dir,
  )
  const [response]: IncomingMessage[] = await once(get(url, { agent: false }), 'response')
  await rename(dir, join(parent, 'hidden'))
  await writeFile(dir, 'a file instead of a folder')
  response?.destroy()
  t.equal(await statusOfNext(url), 500)
  await rm(dir)
  await rename(join(parent, 'hidden'), dir)
  t.equal(await statusOfNext(url), 200, 'even though a copy was left behind')
})
