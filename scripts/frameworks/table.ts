import type { Result } from './check-failure.ts'

/** Returns a Markdown table with one row for each kind of failure of each application. */
export function resultTable(results: readonly { application: string; results: readonly Result[] }[]): string {
  return [
    '| application | failure | visitor’s id | found by id | right source line | known request |',
    '| --- | --- | --- | --- | --- | --- |',
    ...results.flatMap(({ application, results }) => results.map(result => row(application, result))),
  ].join('\n')
}

/** Returns the rows of the results that a document does not contain, regardless of the width of its columns. */
export function undocumentedRows(results: string, document: string): string[] {
  const documented = new Set(document.split('\n').map(withoutPadding))
  return results.split('\n').filter(line => !isRule(line) && !documented.has(line))
}

function withoutPadding(row: string): string {
  return row.replace(/\s*\|\s*/g, ' | ').trim()
}

function isRule(line: string): boolean {
  return /^\| -/.test(line)
}

function row(application: string, result: Result): string {
  const { kind, hasId, isFoundById, isSourceLineRight, isRequestKnown } = result
  const cells = [
    application,
    kind.title,
    hasId ? 'yes' : 'none',
    isFoundById === null ? 'no id' : yesNo(isFoundById),
    yesNo(isSourceLineRight),
    yesNo(isRequestKnown),
  ]
  return `| ${cells.join(' | ')} |`
}

function yesNo(value: boolean): string {
  return value ? 'yes' : 'no'
}
