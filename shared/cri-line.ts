/** A line of a Kubernetes container log. */
export type CriLine = {
  /** What the container wrote. */
  text: string
  /** When it was written: RFC 3339, with nanoseconds. */
  time: string
  stream: string
  /** Whether the next line of the stream continues this one. Container runtimes split lines that are longer than 16 KB. */
  isPartial: boolean
}

const prefix =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)) (stdout|stderr) ([PF])(?::[^ ]{0,100})?(?: |$)/

/**
 * Parses a line in the format of the Container Runtime Interface: `2026-11-22T07:10:11.123456789Z stdout F message`. Returns
 * `null` for any other line.
 * https://github.com/kubernetes/design-proposals-archive/blob/main/node/kubelet-cri-logging.md
 */
export function readCriLine(line: string): CriLine | null {
  const [start, time, stream, tag] = prefix.exec(line) ?? []
  if (start === undefined || time === undefined || stream === undefined) return null
  return { text: line.slice(start.length), time, stream, isPartial: tag === 'P' }
}
