import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setImmediate } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { until } from '../shared/testing/until.ts'
import { createLogOutput } from './log-output.ts'

/** Creates a named pipe, whose reader can leave and come back. Writing fails while there is none. */
function pipeIn(t: Test) {
  const path = join(t.testdir({}), 'pipe')
  spawnSync('mkfifo', [path])
  const openReader = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const reader = openReader()
  const output = createLogOutput(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
  /** Returns an array to which the lines are added as they are read. */
  const readLines = (fd: number) => {
    const lines: string[] = []
    const socket = new Socket({ fd })
    t.teardown(() => socket.destroy())
    createInterface({ input: socket }).on('line', line => lines.push(line))
    return lines
  }
  return { output, reader, openReader, readLines }
}

/** Waits until the output pauses because the pipe is full. Then no write is queued or running. */
async function outputPauses(): Promise<void> {
  while (process.getActiveResourcesInfo().includes('FSReqCallback')) await setImmediate()
}

t.test('discards lines that cannot be written, and writes later lines', async t => {
  const { output, reader, openReader, readLines } = pipeIn(t)
  const long = 'x'.repeat(200_000)
  output.write(`${long}\n`)
  // The pipe takes only the beginning of the line. A write that is still queued could reach the next reader.
  await outputPauses()
  closeSync(reader)
  output.write('lost\n')
  output.flushSync()
  const lines = readLines(openReader())
  output.write('a\n')
  output.write('b\n')
  const [part = '', ...others] = await until(
    () => lines,
    ({ length }) => length === 3,
  )
  t.ok(part.length > 0 && long.startsWith(part))
  t.same(others, ['a', 'b'], 'the next line does not continue the incomplete one')
})

t.test('waits for a slow reader, but not forever, and keeps a limited amount of text', async t => {
  const { output, reader, readLines } = pipeIn(t)
  const line = `${'x'.repeat(999_999)}\n`
  for (let count = 0; count < 30; count += 1) output.write(line)
  await outputPauses()
  const startMs = performance.now()
  output.flushSync()
  t.ok(performance.now() - startMs < 5000)
  const lines = readLines(reader)
  await until(() => lines.length > 2)
  output.write('end\n')
  await until(() => lines.includes('end'))
  t.ok(lines.length > 2 && lines.length < 20, `${lines.length} lines`)
  t.ok(
    lines.slice(0, -1).every(({ length }) => length === line.length - 1),
    'no line is cut off',
  )
})
