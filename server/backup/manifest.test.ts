import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'

const run = promisify(execFile)

t.test('describes a folder with more files than a process may have open at once', async t => {
  const folder = t.testdir()
  for (let index = 0; index < 1000; index++) await writeFile(join(folder, `${index}.map`), 'map')
  const script = `
    const { describeFolder } = await import(process.argv[1])
    const { files } = await describeFolder(process.argv[2], { version: '1', createdMs: 0, events: 0 })
    console.log(files.length)`
  const manifest = pathToFileURL(join(import.meta.dirname, 'manifest.ts')).href
  const nodeArguments = ['--import=tsx', '--input-type=module', '--eval', script, manifest, folder]
  const { stdout } = await run('sh', ['-c', 'ulimit -n 256 && "$0" "$@"', process.execPath, ...nodeArguments])
  t.equal(stdout, '1000\n')
})
