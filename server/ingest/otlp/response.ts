import { BinaryWriter } from '@bufbuild/protobuf/wire'

/** What a request is encoded in, and its answer with it. */
export const encodings = ['application/x-protobuf', 'application/json'] as const
export type Encoding = (typeof encodings)[number]

/** The encoding that a `Content-Type` names, or `null` for any other. */
export function encodingOf(contentType: string | undefined): Encoding | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  return encodings.find(each => each === type) ?? null
}

/** What of a request was not taken. */
export type Rejected = { count: number; message: string }

/**
 * An Export…ServiceResponse: `partial_success` is left out where everything was taken
 * (https://opentelemetry.io/docs/specs/otlp/#full-success-1).
 * @param countName what the count is called in JSON
 */
export function encodeResponse(encoding: Encoding, rejected: Rejected, countName: string): Buffer {
  const { count, message } = rejected
  if (encoding === 'application/json') {
    // 64-bit integers are texts in JSON: https://protobuf.dev/programming-guides/json/
    return json(count === 0 ? {} : { partialSuccess: { [countName]: String(count), errorMessage: message } })
  }
  const writer = new BinaryWriter()
  if (count > 0) writer.tag(1, 2).fork().tag(1, 0).int64(count).tag(2, 2).string(message).join()
  return Buffer.from(writer.finish())
}

/** A google.rpc.Status (https://opentelemetry.io/docs/specs/otlp/#failures-1); its code is of no use over HTTP. */
export function encodeStatus(encoding: Encoding, message: string): Buffer {
  if (encoding === 'application/json') return json({ message })
  return Buffer.from(new BinaryWriter().tag(2, 2).string(message).finish())
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}
