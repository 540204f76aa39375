import { readCriLine } from '../../shared/cri-line.ts'
import type { Line } from './line.ts'

/** The parts of a split line that have arrived so far, as one line. */
type Parts = { line: Line; bytes: number }

/**
 * Removes what Kubernetes or Docker added to each line of a container's log, so that stack traces can be recognised.
 * Joins the parts of lines that the container runtime split, because only whole lines are valid JSON.
 * @param maxBytes the maximum length of a joined line; parts that would exceed it are cut off
 */
export function createContainerLines(maxBytes: number, onLine: (line: Line) => void) {
  const pending = new Map<string, Parts>()

  const add = (stream: string, line: Line, isPartial: boolean) => {
    const before = pending.get(stream)
    if (before === undefined && !isPartial) {
      onLine(line)
      return
    }
    pending.delete(stream)
    const joined =
      before === undefined
        ? { line, bytes: Buffer.byteLength(line.text) }
        : extended(before, line.text, maxBytes)
    if (isPartial) pending.set(stream, joined)
    else onLine(joined.line)
  }

  return {
    push(line: Line): void {
      const cri = readCriLine(line.text)
      if (cri !== null) {
        const { stream, text, time, isPartial } = cri
        add(stream, unwrapped(line, text, stream, Date.parse(time)), isPartial)
        return
      }
      const docker = readDockerLine(line.text)
      if (docker === null) {
        onLine(line)
        return
      }
      const { stream, text, writtenMs, isPartial } = docker
      // A whole line with labels stays unchanged, because unwrapping it would discard the labels.
      const isUnchanged = docker.isLabelled && !isPartial && !pending.has(stream)
      if (isUnchanged) onLine({ ...line, stream, writtenMs })
      else add(stream, unwrapped(line, text, stream, writtenMs), isPartial)
    },
    end(): void {
      for (const { line } of pending.values()) onLine(line)
      pending.clear()
    },
  }
}

/** Lists the fields, because copying each line with spread syntax would take a third of the total time. */
function unwrapped(
  { position, timeMs, cutLength = 0 }: Line,
  text: string,
  stream: string,
  writtenMs: number,
): Line {
  return { text, position, cutLength, timeMs, writtenMs, stream }
}

function extended({ line, bytes }: Parts, part: string, maxBytes: number): Parts {
  const allBytes = bytes + Buffer.byteLength(part)
  const { text, cutLength = 0 } = line
  return cutLength === 0 && allBytes <= maxBytes
    ? { line: { ...line, text: text + part }, bytes: allBytes }
    : { line: { ...line, cutLength: cutLength + part.length }, bytes }
}

/**
 * Parses a line of Docker's `json-file` driver: `{"log":"message\n","stream":"stdout","time":"…"}`. If `log` does not end
 * with a line break, the next line continues it. https://docs.docker.com/engine/logging/drivers/json-file/
 */
function readDockerLine(text: string) {
  if (!text.startsWith('{"log":"')) return null
  try {
    const { log, stream, time, ...others }: Record<string, unknown> = JSON.parse(text)
    if (typeof log !== 'string' || typeof time !== 'string') return null
    if (stream !== 'stdout' && stream !== 'stderr') return null
    return {
      text: log.replace(/\r?\n$/, ''),
      stream,
      writtenMs: Date.parse(time),
      isPartial: !log.endsWith('\n'),
      isLabelled: Object.keys(others).length > 0,
    }
  } catch {
    return null
  }
}
