import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Credentials } from './credentials.ts'

/** Anyone can send a header, so a longer one is not read. */
const maxHeaderBytes = 16 * 1024
const newline = 0x0a

const headerSchema = Type.Object({ dsn: Type.String() })

/**
 * Returns the key of the DSN in the header of a Sentry envelope, for requests from a tunnel, which may forward only the
 * body: https://develop.sentry.dev/sdk/foundations/envelopes/#authentication. If there is a key, the body remains readable.
 */
export async function envelopeCredentials({
  raw,
  headers,
}: Pick<FastifyRequest, 'raw' | 'headers'>): Promise<Credentials | null> {
  // Decompression would cost more than reading a few bytes.
  if (headers['content-encoding'] !== undefined) return null
  const line = await peekLine(raw)
  const key = line === null ? undefined : keyInHeader(line)
  return key === undefined ? null : { scheme: 'dsn', name: '', secret: key }
}

function keyInHeader(line: string): string | undefined {
  try {
    const header: unknown = JSON.parse(line)
    if (!Value.Check(headerSchema, header)) return undefined
    // Old SDKs also send a secret, which is not needed.
    return /^https?:\/\/([\w.~-]+)(?::[^@/]*)?@/.exec(header.dsn)?.[1]
  } catch {
    return undefined
  }
}

/** Returns the first line without consuming it, or `null` if the line is incomplete or too long. */
function peekLine(body: Readable): Promise<string | null> {
  return new Promise(resolve => {
    // If the client has disconnected already, the body emits no more events.
    if (body.destroyed) return resolve(null)
    const chunks: Buffer[] = []
    let sizeBytes = 0
    const settle = (line: string | null) => {
      body.off('readable', onReadable).off('end', onEnd).off('close', onEnd).off('error', onEnd)
      resolve(line)
    }
    const onEnd = () => settle(null)
    const onReadable = () => {
      const chunk: unknown = body.read()
      if (!(chunk instanceof Buffer)) return
      chunks.push(chunk)
      sizeBytes += chunk.length
      const isComplete = chunk.includes(newline)
      if (!isComplete && sizeBytes <= maxHeaderBytes) return
      const read = Buffer.concat(chunks)
      body.unshift(read)
      const length = read.indexOf(newline)
      settle(isComplete && length <= maxHeaderBytes ? read.toString('utf8', 0, length) : null)
    }
    body.on('readable', onReadable).on('end', onEnd).on('close', onEnd).on('error', onEnd)
  })
}
