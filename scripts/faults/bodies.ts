import { gzipSync } from 'node:zlib'
import { paths } from '../../shared/paths.ts'
import { startServer } from '../test/server.ts'
import type { Check, Result } from './check.ts'
import { residentMb } from './memory.ts'
import { post } from './post.ts'
import { withStore } from './seeded-store.ts'

type Shape = { name: string; path: string; body: Buffer; headers?: Record<string, string> }

const clients = 20
// Enlarges the records so that even the largest body has fewer than 100,000 of them, the limit per request.
const padding = 'x'.repeat(100)
const record = (index: number) =>
  JSON.stringify({ name: 'bodies', msg: `request ${index} completed`, reqId: `r${index}`, padding })
const times = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => one(index))

/** Returns bodies of `sizeBytes` that are expensive to parse. */
function shapesOf(sizeBytes: number): Shape[] {
  const path = paths.ingest()
  const records = Math.floor(sizeBytes / record(0).length)
  const empty = `[${times(Math.floor(sizeBytes / 3), () => '{}').join()}]`
  const log = (index: number) => `{"body":{"stringValue":"request ${index} completed ${padding}"}}`
  const logs = times(Math.floor(sizeBytes / log(0).length), log).join()
  return [
    { name: 'lines', path, body: Buffer.from(times(records, record).join('\n')) },
    { name: 'one array', path, body: Buffer.from(`[${times(records, record).join()}]`) },
    { name: 'array of {}', path, body: Buffer.from(empty) },
    { name: 'gzip bomb', path, body: gzipSync(empty), headers: { 'content-encoding': 'gzip' } },
    {
      name: 'OTLP JSON',
      path: paths.otlpLogs(),
      body: Buffer.from(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${logs}]}]}]}`),
      headers: { 'content-type': 'application/json' },
    },
  ]
}

/** Twenty clients send large bodies at the same time to a server with a 1 GB heap. */
export const bodies: Check = {
  run: async isShort => {
    const results: Result[] = []
    const shapes = isShort ? shapesOf(100_000).slice(0, 2) : shapesOf(14_000_000)
    for (const shape of shapes) {
      results.push(...(await withStore(0, folder => sendAtOnce(shape, folder))))
    }
    return results
  },
}

async function sendAtOnce({ name, path, body, headers }: Shape, folder: string): Promise<Result[]> {
  const server = await startServer({ NODE_OPTIONS: '--max-old-space-size=1024' }, { folder })
  try {
    const statuses = await Promise.all(
      Array.from({ length: clients }, () => post(server.origin + path, body, headers)),
    )
    const expected = new Set(['200', '413', '429'])
    const counts = [...new Set(statuses)].map(
      status => `${statuses.filter(each => each === status).length} × ${status}`,
    )
    const isAlive = (await fetch(server.origin + paths.readyz())).ok
    const { peak } = await residentMb(server)
    return [
      {
        name: `${clients} bodies of ${(body.length / 1e6).toFixed(1)} MB, ${name}`,
        value: `${counts.sort().join(', ')}${isAlive ? '' : ', not ready afterwards'}`,
        goal: 'only 200, 413 and 429',
        isMet: isAlive && statuses.every(status => expected.has(status)),
      },
      {
        name: `resident memory, peak, ${name}`,
        value: `${peak} MB`,
        goal: '≤ 1,000 MB',
        isMet: peak <= 1000,
        isTimed: true,
      },
    ]
  } finally {
    await server.stop()
  }
}
