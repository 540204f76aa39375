import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { until } from '../../../shared/testing/until.ts'

/** A fake Sixpane that accepts all records. */
export async function ingestServer(t: Test) {
  const records: Record<string, unknown>[] = []
  const server = createServer(async (incoming, response) => {
    for (const line of (await text(incoming)).split('\n')) records.push(JSON.parse(line))
    response.end('{"accepted":1,"rejected":0,"errors":[]}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  /** Returns all records as soon as there are at least `count`. */
  const received = async (count: number) => {
    await until(() => records.length >= count)
    return records
  }
  return { url, records, received }
}
