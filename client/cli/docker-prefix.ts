import type { Line } from './line.ts'
import { levelOf } from './plain-text.ts'

/** `docker compose logs` pads the container's name with at least one space, and adds ` | `. */
const prefix =
  /^(?:([A-Za-z\d][\w.-]{0,200}) {2,200}\| )?(?:(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) )?(?=\{)/

/**
 * Removes the container's name and the time that `docker compose logs` and `docker logs --timestamps` print before JSON. Other
 * lines keep their prefix, because the lines of different containers must not be joined.
 */
export function withoutDockerPrefix(line: Line): Line {
  const [start = '', container, time] = prefix.exec(line.text) ?? []
  // Loggers print a level in the same way: `INFO  | {…}`.
  if (start === '' || levelOf(start) !== null) return line
  return {
    ...line,
    text: line.text.slice(start.length),
    ...(container !== undefined && { container }),
    ...(time !== undefined && { writtenMs: Date.parse(time) }),
  }
}
