import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { root } from './prepare/root.mjs'

/** `npm start` on a port and a store of its own; npm stands between, as on a user's terminal. */
function npmStart(env: Record<string, string>) {
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return { child, told: text(child.stderr), output: child.stdout }
}

t.test('a second start does nothing but serve, in JSON lines, and stops when npm is told to', async t => {
  const env = { SIXPANE_DATA: t.testdir() }
  const messages: unknown[] = []
  const { child, output, told } = npmStart(env)
  // It ends when the last process that writes to it has gone, and not only npm.
  for await (const line of createInterface({ input: output })) {
    const { msg, address } = JSON.parse(line)
    messages.push(msg)
    if (msg === 'Started') {
      t.equal((await fetch(new URL('/readyz', address))).status, 200)
      child.kill('SIGTERM')
    }
  }
  t.equal(messages.at(-1), 'Stopped')
  t.notMatch(await told, /Installing/)
})

t.test('a wrong variable is named in one line, and nothing listens', async t => {
  const { child, output, told } = npmStart({ PORT: 'many', SIXPANE_DATA: t.testdir() })
  const logged = text(output)
  const code = await new Promise(resolve => child.once('close', resolve))
  t.equal(code, 1)
  t.match(await told, /^Sixpane: PORT must be .*$/m)
  t.equal(await logged, '')
})
