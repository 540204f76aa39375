export type StackFrame = {
  /** With its class and package where the runtime says them: `com.shop.Cart.total`, `cart.(*Cart).Total`. */
  functionName: string | null
  /** As the runtime named it: a path, a URL, `node:…`, `native`, `<anonymous>`; of a Java class its path. */
  file: string
  /** Both count from 1. */
  line: number | null
  column: number | null
  /** Reached over an `await`, or the start of a goroutine: nothing called it from the frame below. */
  async: boolean
}

/** A frame and the line of the text that holds it, counted from 0. */
export type PlacedFrame = { at: number; frame: StackFrame }

/** What a text says was thrown; `said` is what stands there besides the trace. */
export type Thrown = { type: string; message: string; said: string }

/** How one runtime writes traces. Both take linear time and never throw, whatever the lines are. */
export type Runtime = {
  /** The frames, innermost first; those of causes after those of what they caused. */
  frames(lines: readonly string[]): PlacedFrame[]
  /** What was thrown, or `null` where the lines do not say; `first` is the first line with a frame. */
  thrown(lines: readonly string[], first: number): Thrown | null
}

/** A longer line is no frame. */
const longestLine = 2000

/** The frames of a runtime that writes one a line. */
export function framesOf(lines: readonly string[], read: (line: string) => StackFrame | null): PlacedFrame[] {
  return lines.flatMap((line, at) => {
    const frame = line.length > longestLine ? null : read(line.trim())
    return frame === null ? [] : { at, frame }
  })
}
