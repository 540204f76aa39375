import { type Checked, columns } from './check-sdk.ts'

/** Returns a Markdown table with one row for each SDK. */
export function sdkTable(results: readonly Checked[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    row(['SDK', ...columns]),
    row(['---', ...columns.map(() => '---')]),
    ...results.map(({ sdk, cells }) => row([`\`${sdk}\``, ...columns.map(column => word(cells[column]))])),
  ].join('\n')
}

function word(value: boolean | null): string {
  if (value === null) return '–'
  return value ? 'yes' : 'no'
}
