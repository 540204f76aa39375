import { readdir, readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { until } from '../../shared/testing/until.ts'
import { downloadBackup } from './download-backup.ts'

/** Starts a server and returns its URL. */
async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${Reflect.get(Object(server.address()), 'port')}`
}

/** Downloads a backup, which must fail. */
async function failingDownload(t: Test, file: string, url: string) {
  const errors: string[] = []
  const printError = (line: string) => errors.push(line)
  const exitCode = await downloadBackup({ file, url, headers: {}, print: line => t.fail(line), printError })
  return { exitCode, errors }
}

t.test('reports the status text if the response contains no message', async t => {
  let body = ''
  const url = await serve(t, (_, response) => response.writeHead(502).end(body))
  for (const [response, reason] of [
    ['{"error":"upstream"}', 'Bad Gateway'],
    ['{"message":{"code":1}}', 'Bad Gateway'],
    ['null', 'Bad Gateway'],
    ['<h1>502</h1>', 'Bad Gateway'],
    ['{"message":"Sixpane is starting"}', 'Sixpane is starting'],
  ] as const) {
    body = response
    const { errors } = await failingDownload(t, join(t.testdir(), 'backup.tar'), url)
    t.same(errors, [`the backup failed: ${url} responded with 502: ${reason}`])
  }
})

t.test('requests no backup if the file cannot be written', async t => {
  const folder = t.testdir({ file: '' })
  let requests = 0
  const url = await serve(t, (_, response) => {
    requests += 1
    response.end()
  })
  for (const [parent, code] of [
    ['missing', 'ENOENT'],
    ['file', 'ENOTDIR'],
  ] as const) {
    const { exitCode, errors } = await failingDownload(t, join(folder, parent, 'backup.tar'), url)
    t.equal(exitCode, 1)
    t.match(errors, [new RegExp(`^the backup failed: ${code}`)])
  }
  t.equal(requests, 0)
})

t.test('a rejected download does not affect another one to the same file', async t => {
  const archive = `]\n}\n${'\0'.repeat(1024)}`
  const exitCodes: number[] = []
  const errors: string[] = []
  const url = await serve(t, async (_, response) => {
    if (response.req.headers.authorization === 'second')
      return response.writeHead(503).end('{"message":"Another backup is in progress"}')
    response.write(archive.slice(0, 3))
    await download('second')
    response.end(archive.slice(3))
  })
  const file = join(t.testdir(), 'backup.tar')
  const download = async (authorization: string) => {
    const printError = (line: string) => errors.push(line)
    exitCodes.push(
      await downloadBackup({ file, url, headers: { authorization }, print: () => {}, printError }),
    )
  }
  await download('first')
  t.same(exitCodes, [1, 0])
  t.same(errors, [`the backup failed: ${url} responded with 503: Another backup is in progress`])
  t.equal(await readFile(file, 'utf8'), archive)
  t.same(await readdir(dirname(file)), ['backup.tar'])
})

t.test('a signal removes the unfinished file', async t => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const listeners = process.listenerCount(signal)
    const folder = t.testdir()
    const url = await serve(t, async (_, response) => {
      response.write('a part')
      await until(async () => {
        const [name = 'missing'] = await readdir(folder)
        return (await readFile(join(folder, name), 'utf8').catch(() => '')) === 'a part'
      })
      process.emit(signal, signal)
    })
    const { exitCode, errors } = await failingDownload(t, join(folder, 'backup.tar'), url)
    t.equal(exitCode, 1)
    t.same(errors, [`the backup failed: interrupted by ${signal}`])
    t.same(await readdir(folder), [])
    t.equal(process.listenerCount(signal), listeners)
  }
})

t.test('a signal ends the wait for the response', async t => {
  const url = await serve(t, () => void process.emit('SIGINT', 'SIGINT'))
  const folder = t.testdir()
  const { exitCode, errors } = await failingDownload(t, join(folder, 'backup.tar'), url)
  t.equal(exitCode, 1)
  t.same(errors, ['the backup failed: interrupted by SIGINT'])
  t.same(await readdir(folder), [])
})
