import { createServer } from 'node:http'
import { join } from 'node:path'
import t from 'tap'
import { downloadBackup } from './download-backup.ts'

t.test('requests no backup if the file cannot be written', async t => {
  const folder = t.testdir({ file: '' })
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${Reflect.get(Object(server.address()), 'port')}`
  for (const [parent, code] of [
    ['missing', 'ENOENT'],
    ['file', 'ENOTDIR'],
  ] as const) {
    const errors: string[] = []
    const exitCode = await downloadBackup({
      file: join(folder, parent, 'backup.tar'),
      url,
      headers: {},
      print: line => t.fail(line),
      printError: line => errors.push(line),
    })
    t.equal(exitCode, 1)
    t.match(errors, [new RegExp(`^the backup failed: ${code}`)])
  }
  t.equal(requests, 0)
})
