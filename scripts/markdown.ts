/**
 * Replaces the part of a Markdown document between the markers of a section.
 * @throws Error if the document does not contain both markers
 */
export function replaceSection(document: string, section: string, content: string): string {
  const [start, end] = [`<!-- ${section}: start -->`, `<!-- ${section}: end -->`]
  const [from, to] = [document.indexOf(start), document.indexOf(end)]
  if (from === -1 || to < from)
    throw new Error(`The document does not contain both markers of the ${section}`)
  return `${document.slice(0, from)}${start}\n\n${content}\n\n${document.slice(to)}`
}

/** Formats cells as a Markdown table with aligned columns. The first line is the header. */
export function tableOf(cells: readonly (readonly string[])[]): string {
  const [head = [], ...body] = cells
  const widths = head.map((_, column) => Math.max(...cells.map(line => line[column]?.length ?? 0)))
  const text = (line: readonly string[]) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  return [text(head), text(widths.map(width => '-'.repeat(width))), ...body.map(text)].join('\n')
}
