import { BinaryWriter } from '@bufbuild/protobuf/wire'

/** The supported request encodings. A response uses the encoding of its request. */
export const encodings = ['application/x-protobuf', 'application/json'] as const
export type Encoding = (typeof encodings)[number]

/** Returns the encoding of a `Content-Type`, or `null` if it is not supported. */
export function encodingOf(contentType: string | undefined): Encoding | null {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  return encodings.find(each => each === type) ?? null
}

/** The number of rejected items and the reason for the first rejection. */
export type Rejected = { count: number; message: string }

/**
 * Encodes an Export…ServiceResponse, without `partial_success` if everything was accepted
 * (https://opentelemetry.io/docs/specs/otlp/#full-success-1).
 * @param countName the JSON name of the count field
 */
export function encodeResponse(encoding: Encoding, rejected: Rejected, countName: string): Buffer {
  const { count, message } = rejected
  if (encoding === 'application/json') {
    // 64-bit integers are strings in JSON: https://protobuf.dev/programming-guides/json/
    return json(count === 0 ? {} : { partialSuccess: { [countName]: String(count), errorMessage: message } })
  }
  const writer = new BinaryWriter()
  if (count > 0) writer.tag(1, 2).fork().tag(1, 0).int64(count).tag(2, 2).string(message).join()
  return Buffer.from(writer.finish())
}

/** Encodes a google.rpc.Status (https://opentelemetry.io/docs/specs/otlp/#failures-1). Its code is not used over HTTP. */
export function encodeStatus(encoding: Encoding, message: string): Buffer {
  if (encoding === 'application/json') return json({ message })
  return Buffer.from(new BinaryWriter().tag(2, 2).string(message).finish())
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}
