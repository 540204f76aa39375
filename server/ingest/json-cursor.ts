/** Maximum number of bytes to process between two pauses. */
export const sliceBytes = 64 * 1024

/** The position of one value in the text, possibly with white space around it. */
export type JsonSpan = { start: number; end: number }

/** Thrown if the text is not JSON because a bracket, comma or quote is missing or misplaced. */
export class JsonSyntaxError extends Error {
  override name = 'JsonSyntaxError'
  constructor() {
    super('it is incomplete or not JSON')
  }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Longer names are not parsed, because that would block other requests for too long. */
const maxNameBytes = sliceBytes

/**
 * Finds the elements and fields of JSON text without parsing them, so that a large text can be parsed in small pieces. The
 * generators yield `null` after every `sliceBytes`, so that the caller can pause. Values are not checked: parse each span
 * with `parseJson`.
 */
export class JsonCursor {
  #position: number
  #pauseAt: number

  constructor(
    readonly bytes: Buffer,
    start = 0,
  ) {
    this.#position = start
    this.#pauseAt = start + sliceBytes
  }

  get position(): number {
    return this.#position
  }

  /** Skips white space. Returns the next byte, or -1 at the end. */
  *peek(): Generator<null, number> {
    for (;;) {
      const byte = this.bytes[this.#position] ?? -1
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
      this.#position += 1
      if (this.#isPauseDue()) yield null
    }
  }

  /** Moves past the next value, and returns its position. */
  *value(): Generator<null, JsonSpan> {
    const start = this.#position
    let depth = 0
    let isInText = false
    for (;;) {
      const end = Math.min(this.bytes.length, this.#pauseAt)
      let at = this.#position
      for (; at < end; at += 1) {
        const byte = this.bytes[at] ?? 0
        if (isInText) {
          if (byte === backslash) at += 1
          else if (byte === quote) isInText = false
        } else if (byte === quote) isInText = true
        // `[` and `{` differ in one bit, as do `]` and `}`.
        else if ((byte | 0x20) === openObject) depth += 1
        else if ((byte | 0x20) === closeObject) {
          if (depth === 0) break
          depth -= 1
        } else if (depth === 0 && (byte === comma || byte === colon)) break
      }
      this.#position = Math.min(at, this.bytes.length)
      if (at < end) return { start, end: at }
      if (end === this.bytes.length) {
        if (depth > 0 || isInText) throw new JsonSyntaxError()
        return { start, end }
      }
      this.#isPauseDue()
      yield null
    }
  }

  /** Enters an array. Yields before each element, and skips the element unless the caller reads it. */
  *elements(): Generator<'element' | null, void> {
    yield* this.#expect(openArray)
    if ((yield* this.peek()) === closeArray) return this.#step()
    for (;;) {
      const start = this.#position
      if (this.#isPauseDue()) yield null
      yield 'element'
      if (this.#position === start) yield* this.value()
      if (!(yield* this.#continues(closeArray))) return
    }
  }

  /** Enters an object. Yields each field's name, and skips the value unless the caller reads it. */
  *fields(): Generator<{ name: string } | null, void> {
    yield* this.#expect(openObject)
    if ((yield* this.peek()) === closeObject) return this.#step()
    for (;;) {
      const name = this.#nameOf(yield* this.value())
      yield* this.#expect(colon)
      yield* this.peek()
      const start = this.#position
      if (this.#isPauseDue()) yield null
      yield { name }
      if (this.#position === start) yield* this.value()
      if (!(yield* this.#continues(closeObject))) return
    }
  }

  /** Moves past a comma or the closing bracket. Returns whether another element or field follows. */
  *#continues(close: number): Generator<null, boolean> {
    const byte = yield* this.peek()
    if (byte !== comma && byte !== close) throw new JsonSyntaxError()
    this.#step()
    if (byte === close) return false
    yield* this.peek()
    return true
  }

  *#expect(byte: number): Generator<null, void> {
    if ((yield* this.peek()) !== byte) throw new JsonSyntaxError()
    this.#step()
  }

  #step(): void {
    this.#position += 1
  }

  #nameOf({ start, end }: JsonSpan): string {
    if (this.bytes[start] !== quote) throw new JsonSyntaxError()
    if (end - start > maxNameBytes) return ''
    try {
      return String(JSON.parse(this.bytes.toString('utf8', start, end)))
    } catch {
      throw new JsonSyntaxError()
    }
  }

  #isPauseDue(): boolean {
    if (this.#position < this.#pauseAt) return false
    this.#pauseAt = this.#position + sliceBytes
    return true
  }
}

const byteOrderMark = Buffer.from('\ufeff')

/** Returns the position after an optional byte order mark. */
export function startOfJson(body: Buffer): number {
  return body.subarray(0, byteOrderMark.length).equals(byteOrderMark) ? byteOrderMark.length : 0
}
