import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { root } from './prepare/root.mjs'

/** Runs `npm start` with a free port and a separate store. */
function npmStart(t: Test, env: Record<string, string>) {
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.teardown(() => child.kill('SIGTERM'))
  return { child, errorOutput: text(child.stderr), output: child.stdout }
}

t.test('npm start does not reinstall packages, logs JSON lines, and stops when npm is stopped', async t => {
  const env = { SIXPANE_DATA: t.testdir() }
  const messages: unknown[] = []
  const { child, output, errorOutput } = npmStart(t, env)
  // The output ends when npm and the server have exited.
  for await (const line of createInterface({ input: output })) {
    const { msg, address } = JSON.parse(line)
    messages.push(msg)
    if (msg === 'Started') {
      t.equal((await fetch(new URL('/readyz', address))).status, 200)
      child.kill('SIGTERM')
    }
  }
  t.equal(messages.at(-1), 'Stopped')
  t.notMatch(await errorOutput, /Installing/)
})

t.test('npm start reports an invalid variable in one line, and does not start the server', async t => {
  const { child, output, errorOutput } = npmStart(t, { PORT: 'many', SIXPANE_DATA: t.testdir() })
  const logged = text(output)
  const code = await new Promise(resolve => child.once('close', resolve))
  t.equal(code, 1)
  t.match(await errorOutput, /^Sixpane: PORT must be .*$/m)
  t.equal(await logged, '')
})
