import t from 'tap'
import type { LocalServer } from './local-server.ts'
import { whenStarted } from './run-pipe.ts'

function localServer(port: number, problem: string | null, isJoined = false): LocalServer {
  const started = Promise.resolve(problem)
  return { port, isJoined, started, ended: new Promise(() => {}), leave: async () => {} }
}

const serverAt = (local: LocalServer) => ({ url: `http://127.0.0.1:${local.port}`, local })
const starts = async (port: number) => localServer(port, null)

t.test('starts the server on another port if its port is taken', async t => {
  const server = serverAt(localServer(3000, 'port 3000 is taken: set PORT'))
  const { url, problem } = await whenStarted(server, { join: async () => null, start: starts })
  t.equal(problem, null)
  t.not(url, 'http://127.0.0.1:3000')
})

t.test("if another command's server fails to start, joins its replacement or starts one", async t => {
  const server = serverAt(localServer(3000, 'the server that another command started has stopped', true))
  const replacement = localServer(4000, null, true)
  const joined = await whenStarted(server, { join: async () => replacement, start: starts })
  t.match(joined, { url: 'http://127.0.0.1:4000', problem: null })
  const started = await whenStarted(server, { join: async () => null, start: starts })
  t.match(started, { problem: null, local: { isJoined: false } })
})

t.test('any other problem is reported', async t => {
  const server = serverAt(localServer(3000, 'the store is damaged'))
  t.match(await whenStarted(server, { join: async () => null, start: starts }), {
    problem: 'the store is damaged',
  })
})
