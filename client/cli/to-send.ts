import type { Joined } from './join-lines.ts'
import type { Line } from './line.ts'
import { type Level, levelOf, withoutAnsi } from './plain-text.ts'

/** What the command line says of the writer, for lines that do not say it themselves. */
export type Writer = { service: string; release: string | null }

/** The server keeps 64 KiB of a text; escaped, this still fits into the longest line that it reads. */
const longestText = 64_000

/** The names under which Sixpane looks for them. */
const serviceNames = ['service.name', 'serviceName', 'service', 'name', 'resource', 'app', 'application']
const timeNames = ['time', 'timestamp', '@timestamp', 'ts', 'timeUnixNano', 'date']
const releaseNames = ['service.version', 'serviceVersion', 'release', 'version', 'resource']

/**
 * A line that is a JSON object, as it came but for what it does not say of its writer and its time; `null` where it is
 * none.
 */
export function recordToSend(line: Line, { service, release }: Writer): string | null {
  const json = line.text.trim()
  const record = json.startsWith('{') && json.endsWith('}') ? parse(json) : null
  if (record === null) return null
  const isWrapped = Object.hasOwn(record, 'attributes')
  const has = (names: readonly string[]) => names.some(name => Object.hasOwn(record, name))
  const added = {
    ...(has(timeNames) ? {} : { time: line.timeMs }),
    ...(isWrapped || has(serviceNames) ? {} : { service }),
    ...(release === null || isWrapped || has(releaseNames) ? {} : { release }),
  }
  const more = JSON.stringify(added).slice(1, -1)
  if (more === '') return json
  return `{${more}${Object.keys(record).length === 0 ? '' : ','}${json.slice(1)}`
}

/** An event of plain text; `null` for empty lines. */
export function textToSend(joined: Joined, { service, release }: Writer): string | null {
  const [first] = joined.lines
  const whole = joined.lines.map(line => line.text).join('\n')
  // Looked through is only what may be kept, and a little more for what is taken out.
  const text = withoutAnsi(whole.slice(0, 2 * longestText)).trimEnd()
  if (first === undefined || text.trim() === '') return null
  const cut = whole.length - longestText
  return JSON.stringify({
    time: first.timeMs,
    level: levelOfJoined(joined, first.text) ?? undefined,
    service,
    release: release ?? undefined,
    msg: text.length > longestText ? `${text.slice(0, longestText)} … [${cut} characters cut]` : text,
  })
}

function levelOfJoined({ isTrace, isFatal }: Joined, head: string): Level | null {
  if (isFatal) return 'fatal'
  return levelOf(head) ?? (isTrace ? 'error' : null)
}

function parse(json: string): object | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}
