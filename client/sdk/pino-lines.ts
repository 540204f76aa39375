export type LineOptions = {
  /** The service of the lines that do not say `service` themselves; pino's `name` if left out. */
  service?: string
  /** The release of the lines that do not say `release` themselves. */
  release?: string
  /** pino's `messageKey`, where it is another than `msg` or `message`. */
  messageKey?: string
}

/** No Sixpane reads a longer line; the sender drops what is not cut off here. */
const longestText = 1024 * 1024

/**
 * Cuts what pino writes into lines, and adds to each what it does not say. No line is parsed for that: what is put in
 * front gives way to what the line itself says later, since of two equal keys the last one counts.
 */
export function createPinoLines(
  { service, release, messageKey }: LineOptions,
  take: (line: string) => void,
  nowMs: () => number = Date.now,
) {
  const said = JSON.stringify({ service, release }).slice(1, -1)
  const message = messageKey === undefined ? null : `,${JSON.stringify(messageKey)}:`
  let rest = ''

  const complete = (line: string) => {
    if (!line.startsWith('{"')) return line
    // A line without a time, as of `timestamp: false`, would be of the time when it arrives.
    const seen = times.test(line.slice(0, 200)) ? '' : `"observedTimeUnixNano":"${nowMs()}000000"`
    const front = [said, seen].filter(Boolean).join(',')
    const whole = front === '' ? line : `{${front},${line.slice(1)}`
    return message === null ? whole : withMessage(whole, message)
  }

  return {
    read(text: string): void {
      let from = 0
      for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
        const line = rest + text.slice(from, to)
        rest = ''
        from = to + 1
        if (line !== '') take(complete(line))
      }
      // Of a line that is too long no more is kept than shows that it is.
      if (rest.length <= longestText) rest += text.slice(from)
    },
    /** Takes what has no line feed yet for a line. */
    end(): void {
      if (rest !== '') take(complete(rest))
      rest = ''
    },
  }
}

/** Where pino and most who change its `timestamp` write it: in front. */
const times = /"(?:time|timestamp|@timestamp|ts|date)":/

/** pino writes the message last, and inside of a text its quotes would be escaped. */
function withMessage(line: string, key: string): string {
  const at = line.lastIndexOf(key)
  return at === -1 ? line : `${line.slice(0, at)},"msg":${line.slice(at + key.length)}`
}
