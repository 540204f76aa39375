import { BinaryReader, WireType } from '@bufbuild/protobuf/wire'
import { HttpError } from '../../http/http-error.ts'

/**
 * A cursor over a protobuf message (https://protobuf.dev/programming-guides/encoding/): the bounds of messages in
 * messages are checked, and how many fields are looked at is bounded. Text that is no UTF-8 is read with U+FFFD in
 * place of what is wrong: a log line is worth more than its refusal. A known field of another type than it should
 * have is an error, not an unknown field: it tells of a message of another kind.
 * @throws Error where the bytes are no such message
 */
export class ProtoReader {
  readonly #reader: BinaryReader
  #field = 0
  #wireType: WireType = WireType.Varint
  /** How many more fields may be looked at. */
  fieldsLeft = 0

  constructor(bytes: Buffer) {
    this.#reader = new BinaryReader(bytes, textOf)
  }

  get position(): number {
    return this.#reader.pos
  }

  set position(position: number) {
    this.#reader.pos = position
  }

  /** Goes to the next field of the message that ends at `end` and gives its number; 0 where there is none. */
  next(end: number): number {
    const reader = this.#reader
    if (reader.pos >= end) {
      if (reader.pos > end) throw new Error('a field reaches beyond the end of its message')
      return 0
    }
    this.fieldsLeft -= 1
    if (this.fieldsLeft < 0) throw new HttpError(413, 'There are too many fields in one message')
    const [field, wireType] = reader.tag()
    this.#field = field
    this.#wireType = wireType
    return field
  }

  skip(): void {
    this.#reader.skip(this.#wireType, this.#field)
  }

  /** Begins the message that the field holds; gives where it ends. */
  message(): number {
    this.#expect(WireType.LengthDelimited)
    const length = this.#reader.uint32()
    return this.#reader.pos + length
  }

  string(): string {
    this.#expect(WireType.LengthDelimited)
    return this.#reader.string()
  }

  /** Bytes as text of this encoding. */
  bytes(encoding: 'hex' | 'base64'): string {
    this.#expect(WireType.LengthDelimited)
    const bytes = this.#reader.bytes()
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encoding)
  }

  bool(): boolean {
    this.#expect(WireType.Varint)
    return this.#reader.bool()
  }

  int32(): number {
    this.#expect(WireType.Varint)
    return this.#reader.int32()
  }

  uint32(): number {
    this.#expect(WireType.Varint)
    return this.#reader.uint32()
  }

  int64(): bigint | string {
    this.#expect(WireType.Varint)
    return this.#reader.int64()
  }

  fixed32(): number {
    this.#expect(WireType.Bit32)
    return this.#reader.fixed32()
  }

  /** Exact to the quarter of a microsecond for times of this century. */
  fixed64(): number {
    this.#expect(WireType.Bit64)
    const low = this.#reader.fixed32()
    return this.#reader.fixed32() * 2 ** 32 + low
  }

  double(): number {
    this.#expect(WireType.Bit64)
    return this.#reader.double()
  }

  #expect(wireType: WireType): void {
    if (this.#wireType === wireType) return
    throw new Error(`field ${this.#field} has wire type ${this.#wireType} instead of ${wireType}`)
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
}
