import type { Line } from './line.ts'
import { begin, classify, type Group, inspectedText } from './line-group.ts'
import * as stack from './stack-lines.ts'

/** A single line, or a message with its stack trace. Long stack traces are split. */
export type Joined = {
  lines: readonly Line[]
  /** Whether the lines contain a stack trace, or a panic or uncaught exception without one. */
  hasStack: boolean
  /** Whether the exception ended the process. */
  isFatal: boolean
}

/** Limits per event. The server stores at most 64 KiB per string. */
const maxLines = 1000
const maxChars = 60_000
/** Maximum number of lines in the message of a stack trace. If there are more, each line becomes a separate event. */
const maxMessageLines = 10
/** The limit for messages that start below the name of the error, such as Prisma's, which contain code and the query. */
const maxMessageLinesBelow = 100

/**
 * Joins stack traces from Node.js, the JVM, Python, Go, .NET, Ruby, PHP, Elixir and Rust with their messages. Emits every line
 * exactly once, in order, and inspects it a bounded number of times. Truncates only the source line above an uncaught
 * exception. Lines stay pending until a later line or `flush` ends their group.
 */
export function createJoiner(onJoined: (joined: Joined) => void) {
  let group: Group | null = null

  const push = (line: Line): void => {
    const head = inspectedText(line)
    if (group === null) {
      group = begin(line, head)
      return
    }
    const relation = classify(group, head)
    if (relation === 'no' || (relation === 'maybe' && hasLongMessage(group))) {
      closeGroup(group)
      push(line)
      return
    }
    if (
      relation !== 'maybe' &&
      (group.lines.length >= maxLines || group.chars + line.text.length > maxChars)
    ) {
      emit(group, group.lines)
      group = { ...group, lines: [], chars: 0 }
    }
    group.lines.push(line)
    group.chars += line.text.length
    if (relation !== 'maybe') group.confirmed = group.lines.length
    if (relation === 'last') closeGroup(group)
  }

  /** Emits a group. Processes its unconfirmed lines again, because they belong to other groups. */
  const closeGroup = (ended: Group): void => {
    const rest = ended.lines.slice(ended.confirmed)
    group = null
    emit(ended, ended.lines.slice(0, ended.confirmed))
    for (const line of rest) push(line)
  }

  const emit = ({ hasStack, kind, head }: Group, lines: readonly Line[]) => {
    const isFatal =
      kind.startsWith('uncaught') || stack.isPanic(head) || head.startsWith('Exception in thread ')
    onJoined({ lines, hasStack, isFatal: hasStack && isFatal })
  }

  return {
    push,
    /** Returns the position of the first pending line, or infinity. */
    pendingFrom: () => group?.lines[0]?.position ?? Infinity,
    /** Emits the pending lines. Call it when no line has arrived for a while. */
    flush(): void {
      while (group !== null) closeGroup(group)
    },
  }
}

function hasLongMessage({ head, lines, confirmed }: Group): boolean {
  return lines.length - confirmed >= (stack.isErrorName(head) ? maxMessageLinesBelow : maxMessageLines)
}
