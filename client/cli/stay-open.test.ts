import { EventEmitter, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import t, { type Test } from 'tap'
import { stayOpen } from './stay-open.ts'

/** Starts a fake Sixpane server. Returns its URL. */
async function serve(t: Test, respond: (response: ServerResponse) => void) {
  const server = createServer((_, response) => respond(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

/** Calls `stayOpen` for a server that stops after the first message. */
async function messagesUntilEnd(url: string, output = ''): Promise<string[]> {
  const messages: string[] = []
  const printed = new EventEmitter()
  const serverEnded = once(printed, 'line').then(() => output)
  const printError = (line: string) => {
    messages.push(line)
    printed.emit('line')
  }
  await stayOpen({ url, headers: {}, sinceMs: 0, serverEnded, printError })
  return messages
}

t.test('reads only the newest failure', async t => {
  let closed = Promise.resolve()
  const url = await serve(t, response => {
    closed = once(response, 'close').then(() => {})
    response.write(`${JSON.stringify({ fingerprint: 'a41c09be72' })}\n{`)
  })
  const [first] = await messagesUntilEnd(url)
  t.match(first, `the input has ended; the newest failure is at ${url}/development?failure=a41c09be72;`)
  await closed
})

t.test('says what to do if the server stops', async t => {
  const listeners = process.listenerCount('SIGINT')
  const url = await serve(t, response => response.end('\n'))
  t.same(await messagesUntilEnd(url, 'disk full'), [
    `the input has ended; the console is available at ${url} until you press Ctrl+C`,
    'the console has stopped; to see the stored events, start it again with npx --no-install sixpane\ndisk full',
  ])
  t.equal(process.listenerCount('SIGINT'), listeners)
})

t.test('does not announce a server that has already stopped', async t => {
  const messages: string[] = []
  const printError = (line: string) => void messages.push(line)
  const serverEnded = Promise.resolve('')
  await stayOpen({ url: 'http://127.0.0.1:1', headers: {}, sinceMs: 0, serverEnded, printError })
  t.same(messages, [
    'the console has stopped; to see the stored events, start it again with npx --no-install sixpane',
  ])
})
