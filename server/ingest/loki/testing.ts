import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** A push, structured like Loki's JSON. */
export type Push = {
  streams: {
    stream: Record<string, string>
    values: ([string, string] | [string, string, Record<string, string>])[]
  }[]
}

/** Encodes a push as `logproto.PushRequest`, uncompressed. */
export function protobufOf({ streams }: Push): Buffer {
  const writer = new BinaryWriter()
  for (const { stream, values } of streams) {
    const labels = Object.entries(stream).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    message(writer, 1, () => {
      text(writer, 1, `{${labels.join(', ')}}`)
      for (const [time, line, metadata = {}] of values) {
        message(writer, 2, () => {
          message(writer, 1, () => {
            writer.tag(1, WireType.Varint).int64(BigInt(time) / 1_000_000_000n)
            writer.tag(2, WireType.Varint).int32(Number(BigInt(time) % 1_000_000_000n))
          })
          text(writer, 2, line)
          for (const [name, value] of Object.entries(metadata)) {
            message(writer, 3, () => {
              text(writer, 1, name)
              text(writer, 2, value)
            })
          }
        })
      }
      writer.tag(3, WireType.Varint).uint64(7)
    })
  }
  return Buffer.from(writer.finish())
}

export function message(writer: BinaryWriter, field: number, write: () => void): void {
  writer.tag(field, WireType.LengthDelimited).fork()
  write()
  writer.join()
}

export function text(writer: BinaryWriter, field: number, value: string): void {
  writer.tag(field, WireType.LengthDelimited).string(value)
}
