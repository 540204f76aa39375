import type { Line } from './line.ts'
import { levelOf } from './plain-text.ts'

const second = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`
const zone = String.raw`(?:Z|[+-]\d\d:\d\d)`
/** Container runtimes print nine decimal places. In plain text, a time with fewer is part of the program's output. */
const time = String.raw`${second}(?:\.\d{9}${zone}|(?:\.\d{1,9})?${zone}(?= \{))`
/**
 * `docker compose logs` pads the container's name with at least one space, and adds ` | `. `kubectl logs --prefix` prints
 * `[pod/name/container] `.
 */
const prefix = new RegExp(
  String.raw`^(?:([A-Za-z\d][\w.-]{0,200}) {2,200}\| |\[pod\/([^\s\]]{1,300})\] )?(?:(${time}) )?`,
)

/**
 * Removes the container's name and the time that `docker compose logs`, `docker logs --timestamps` and `kubectl logs` print
 * before a line. Plain text keeps a prefix that may be part of the text.
 */
export function withoutDockerPrefix(line: Line): Line {
  const [start = '', service, pod, writtenAt] = prefix.exec(line.text) ?? []
  // Without the number that Compose appends, the name may be the first column of a table, such as Jest's: `cart.ts   | 85`.
  const isPrefix = line.text[start.length] === '{' || pod !== undefined || /-\d{1,4}$/.test(service ?? '')
  // Some loggers print a level where the container's name would be: `INFO  | {…}`.
  if (start === '' || !isPrefix || levelOf(start) !== null) return line
  const container = service ?? pod
  return {
    ...line,
    text: line.text.slice(start.length),
    ...(container !== undefined && { container }),
    ...(writtenAt !== undefined && { writtenMs: Date.parse(writtenAt) }),
  }
}
