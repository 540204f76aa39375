/** One exception of a chain, with parsed frames. Frames are in the order of Sentry's protocol: the innermost call last. */
export type ThrownException = {
  type: string
  message: string
  module: string | null
  frames: readonly ThrownFrame[]
  /** The exception that this one caused, or that suppressed it. Default: the previous exception of the chain. */
  parent?: ThrownException | undefined
  /** Whether `parent` suppressed this exception: the JVM reports it too, for example if closing a resource also failed. */
  isSuppressed?: boolean
}

export type ThrownFrame = {
  function: string | null
  module: string | null
  file: string | null
  line: number | null
  column: number | null
  /** The source lines before, at and after the position; `null` if the sender sent none. */
  source: { before: readonly string[]; line: string; after: readonly string[] } | null
}

/** The stack parser does not recognise frames with longer names. */
const maxLength = 1000

/** Limits the length, and replaces line breaks, because they would end the frame in a printed stack. */
export function oneLine(value: string | null): string | null {
  return value === null ? null : value.slice(0, maxLength).replaceAll(/[\r\n\u2028\u2029]+/g, ' ')
}
