import { timeNames } from '../../shared/field-names.ts'

export type LineOptions = {
  /** The service of lines without a `service` field. Default: pino's `name`. */
  service?: string | undefined
  /** The release of lines without a `release` field. */
  release?: string | undefined
  /** pino's `messageKey`, if it is neither `msg` nor `message`. */
  messageKey?: string | undefined
}

/** The server rejects longer lines, and the sender drops them. */
const maxLineLength = 1024 * 1024

/**
 * Splits pino's output into lines and adds missing fields. For speed, does not parse the lines. Fields are added at the
 * start, where fields of the line override them, because parsers use the last value of a repeated key.
 */
export function createPinoLines(
  { service, release, messageKey }: LineOptions,
  onLine: (line: string) => void,
  nowMs: () => number = Date.now,
) {
  const added = JSON.stringify({ service, release }).slice(1, -1)
  const message = messageKey === undefined ? null : `,${JSON.stringify(messageKey)}:`
  let rest = ''

  const complete = (line: string) => {
    if (!line.startsWith('{"')) return line
    // If a line has no time (`timestamp: false`), the server uses this time instead of the arrival time.
    const observed = times.test(line.slice(0, 200)) ? '' : `"observedTimeUnixNano":"${nowMs()}000000"`
    const front = [added, observed].filter(Boolean).join(',')
    const completed = front === '' ? line : `{${front},${line.slice(1)}`
    return message === null ? completed : withMessage(completed, message)
  }

  return {
    read(text: string): void {
      let from = 0
      for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
        const line = rest + text.slice(from, to)
        rest = ''
        from = to + 1
        if (line !== '') onLine(complete(line))
      }
      // The sender drops a line that is too long, so the rest of it is not needed.
      if (rest.length <= maxLineLength) rest += text.slice(from)
    },
    /** Treats the text since the last line feed as a line. */
    end(): void {
      if (rest !== '') onLine(complete(rest))
      rest = ''
    },
  }
}

/**
 * Matches the key of a time field. Only the start of a line is searched, because pino writes the time there, even with most
 * custom `timestamp` functions.
 */
const times = new RegExp(`"(?:${timeNames.join('|')})":`)

/** Renames the message key. The last match is the message, because pino writes it last and escapes quotes in values. */
function withMessage(line: string, key: string): string {
  const at = line.lastIndexOf(key)
  return at === -1 ? line : `${line.slice(0, at)},"msg":${line.slice(at + key.length)}`
}
