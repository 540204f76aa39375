import { allSettings } from './table.ts'

const start = '<!-- settings: written by `npm run docs` -->\n'
const end = '\n<!-- /settings -->'

/**
 * Returns a Markdown document with an updated settings table.
 * @throws Error if the table markers are missing
 */
export function withSettingsTable(document: string): string {
  const from = document.indexOf(start)
  const to = document.indexOf(end)
  if (from === -1 || to < from) throw new Error('The document has no markers for the settings table')
  return `${document.slice(0, from + start.length)}\n${settingsTable()}\n${document.slice(to)}`
}

/** Returns the settings as a Markdown table with aligned columns. */
function settingsTable(): string {
  const header = ['Variable', 'Default', 'Meaning']
  const rows = Object.values(allSettings).map(({ variable, defaultText, meaning }) => [
    `\`${variable}\``,
    defaultText === '' ? '' : `\`${defaultText}\``,
    meaning,
  ])
  const widths = header.map((_, column) =>
    Math.max(...[header, ...rows].map(row => row[column]?.length ?? 0)),
  )
  const line = (cells: string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [header, widths.map(width => '-'.repeat(width)), ...rows].map(line).join('\n')
}
