/** A frame of a stack trace, as printed by the runtime. */
export type StackFrame = {
  /** Includes the class and package if the runtime prints them: `com.shop.Cart.total`, `cart.(*Cart).Total`. */
  functionName: string | null
  /** As printed by the runtime: a path, a URL, `node:…`, `native`, `<anonymous>`. For Java, the path of the class. */
  file: string
  /** Starts at 1. */
  line: number | null
  /** Starts at 1. */
  column: number | null
  /** Whether the function awaited the previous frame or started its goroutine, instead of calling it directly. */
  async: boolean
}

/** A frame and the index of its line in the text. */
export type FrameLine = { lineIndex: number; frame: StackFrame }

/** An error found in text; `summary` is the text without the stack trace. */
export type ThrownError = { type: string; message: string; summary: string }

/** Parser for the stack traces of one runtime. The functions run in linear time and never throw. */
export type Runtime = {
  /** Returns the frames, innermost first. The frames of a cause follow the frames of the error that it caused. */
  frames(lines: readonly string[]): FrameLine[]
  /** Returns the thrown error, if the lines contain it; `first` is the index of the first line with a frame. */
  thrown(lines: readonly string[], first: number): ThrownError | null
  /** Replaces `causesOf` if the runtime does not print a cause directly above or below its frames. */
  causes?(lines: readonly string[]): ReadonlyMap<number, string>
}

/** Longer lines are not parsed as frames. */
const maxLineLength = 2000

/** Parses the frames of a runtime that prints one frame per line. */
export function parseFrames(
  lines: readonly string[],
  parse: (line: string) => StackFrame | null,
): FrameLine[] {
  return lines.flatMap((line, lineIndex) => {
    const frame = line.length > maxLineLength ? null : parse(line.trim())
    return frame === null ? [] : { lineIndex, frame }
  })
}
