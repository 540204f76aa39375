import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Test } from 'tap'

/**
 * Returns a port of 127.0.0.1 that refuses connections until a server listens on it. Until the test ends, the system gives
 * the port to no other process, because one connection to it stays open after its listener has closed.
 */
export async function reservePort(t: Test): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new TypeError('The listener has no port')
  const client = connect(address.port, '127.0.0.1')
  t.teardown(() => client.destroy())
  await once(listener, 'connection')
  listener.close()
  return address.port
}
