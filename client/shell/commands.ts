import { digestCandidates, likelyDigestIn } from '../../shared/digest-candidates.ts'
import type { PaletteEntry } from '../../shared/palette-entry.ts'
import { paths } from '../../shared/paths.ts'
import { quoted } from '../../shared/query.ts'
import { screenIds, screens } from '../../shared/screens.ts'
import { lengthProblem } from '../components/search-length.ts'

/** An entry of the palette: a link or an action. */
export type Command = {
  group: string
  label: string
  hint?: string
  /** Additional search text. */
  searchText?: string
} & ({ href: string; isFile?: boolean } | { act: () => void })

/** Maximum number of commands per group. */
const maxPerGroup = 8
/** https://www.w3.org/TR/trace-context/#trace-id */
const traceId = /^[0-9a-f]{32}$/i

const groups = { saved: 'Saved searches', service: 'Services', failure: 'Failures' } as const

export const screenCommands: readonly Command[] = screenIds.map(id => ({
  group: 'Screens',
  label: screens[id].title,
  href: screens[id].path,
}))

export function commandsOf(entries: readonly PaletteEntry[]): Command[] {
  return entries.map(({ kind, ...rest }) => ({ group: groups[kind], ...rest }))
}

/**
 * Returns the commands that contain every word of the text. In each group, commands that start with the text come first. If
 * there is text, adds a search for it, unless it is too long, and, if it contains a digest or is a trace id, a link that opens
 * the failure or trace.
 */
export function commandsFor(text: string, commands: readonly Command[]): Command[] {
  const typed = text.trim()
  const words = typed.toLowerCase().split(/\s+/)
  const counts = new Map<string, number>()
  const matching = commands
    .filter(({ label, hint = '', searchText = '' }) => {
      const all = `${label} ${hint} ${searchText}`.toLowerCase()
      return words.every(word => all.includes(word))
    })
    .map(command => ({ command, isPrefix: command.label.toLowerCase().startsWith(typed.toLowerCase()) }))
  const best = [
    ...matching.filter(({ isPrefix }) => isPrefix),
    ...matching.filter(({ isPrefix }) => !isPrefix),
  ]
    .map(({ command }) => command)
    .filter(({ group }) => {
      const count = (counts.get(group) ?? 0) + 1
      counts.set(group, count)
      return count <= maxPerGroup
    })
  const order = [...new Set(commands.map(({ group }) => group))]
  const grouped = order.flatMap(group => best.filter(command => command.group === group))
  return typed === '' ? grouped : [...byId(typed), ...grouped, ...searchFor(typed)]
}

function byId(text: string): Command[] {
  const group = 'By ID'
  const digest = likelyDigestIn(text)
  // The log redirects to the failure or the trace, however old it is.
  const href = paths.activities({ q: digest !== null && lengthProblem(text) !== '' ? digest : text })
  if (digest !== null) return [{ group, label: `Open failure with digest ${digest}`, href }]
  return traceId.test(text) ? [{ group, label: `Open trace ${text}`, href }] : []
}

/**
 * Quotes the text, unless it contains syntax, may be an id, or may contain a digest: the log opens the failure of a digest
 * only if the text is not quoted.
 */
function searchFor(text: string): Command[] {
  if (lengthProblem(text) !== '') return []
  const isQuery = /[:"()]/.test(text)
  const mayBeId = /\s/.test(text) ? digestCandidates(text).length > 0 : !/^-|\*|^(?:AND|OR|NOT)$/.test(text)
  const q = isQuery || mayBeId ? text : quoted(text)
  return [{ group: 'Search', label: `Search the log for ${text}`, href: paths.activities({ q }) }]
}
