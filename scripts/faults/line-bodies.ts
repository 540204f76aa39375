import { paths } from '../../shared/paths.ts'

/** A request with a large body. */
export type LargeBody = {
  name: string
  path: string
  body: Buffer
  method?: 'PUT'
  headers?: Record<string, string>
}

export const padding = 'x'.repeat(100)

/** Returns bodies of up to `sizeBytes` with short records, one per line. */
export function lineBodies(sizeBytes: number): LargeBody[] {
  return [
    ndjson('lines', fill(record, sizeBytes, '\n')),
    ndjson('lines of {}', repeat('{}', sizeBytes, '\n')),
  ]
}

export function record(index: number): string {
  return `{"name":"loop","msg":"request ${index} completed","reqId":"r${index}","padding":"${padding}"}`
}

export function ndjson(name: string, body: string | Buffer, headers = {}): LargeBody {
  return { name, path: paths.ingest(), body: Buffer.from(body), headers }
}

export function times<T>(count: number, one: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => one(index))
}

export function fill(one: (index: number) => string, sizeBytes: number, separator: string): string {
  return times(Math.floor(sizeBytes / (one(0).length + 1)), one).join(separator)
}

export function repeat(text: string, sizeBytes: number, separator: string): string {
  return (text + separator).repeat(Math.floor(sizeBytes / (text.length + 1))).slice(0, -1)
}
