/** The columns of the log that an event has a place for. The time stands before them always. */
export const columnNames = [
  'severity',
  'service',
  'message',
  'route',
  'status',
  'duration',
  'release',
  'source',
  'request',
  'trace',
  'digest',
] as const
export type ColumnName = (typeof columnNames)[number]

/** A column of the log: a field, or an attribute by its dotted path. `widthPx: null` leaves its width to the table. */
export type Column = ({ field: ColumnName } | { attribute: string }) & { widthPx: number | null }

export const defaultColumns = 'severity,service,message,route,status,duration'

const maxColumns = 12
const maxPathLength = 100
const widths = { least: 40, most: 1000 }

/**
 * Reads columns as a link carries them: names with commas between them, each with its width where it has one, `@` before
 * the path of an attribute: `service:160,message,@user.plan`. What is none is left out; with none left, the default.
 */
export function parseColumns(text: string): Column[] {
  const columns = new Map<string, Column>()
  for (const part of text.split(',')) {
    const [, name = '', width] = /^(.*?)(?::(\d{1,4}))?$/.exec(part.trim()) ?? []
    const column = columnOf(name, width === undefined ? null : boundedWidth(Number(width)))
    if (column !== null && columns.size < maxColumns) columns.set(name, column)
  }
  return columns.size > 0 ? [...columns.values()] : parseColumns(defaultColumns)
}

export function writeColumns(columns: readonly Column[]): string {
  return columns
    .map(column => `${columnKey(column)}${column.widthPx === null ? '' : `:${column.widthPx}`}`)
    .join(',')
}

/** What tells one column from another. */
export function columnKey(column: Column): string {
  return 'field' in column ? column.field : `@${column.attribute}`
}

/** The paths of the attributes among the columns. */
export function attributesOf(columns: readonly Column[]): string[] {
  return columns.flatMap(column => ('attribute' in column ? [column.attribute] : []))
}

function columnOf(name: string, widthPx: number | null): Column | null {
  const field = columnNames.find(known => known === name)
  if (field !== undefined) return { field, widthPx }
  const attribute = name.slice(1)
  if (!name.startsWith('@') || attribute === '' || attribute.length > maxPathLength) return null
  return { attribute, widthPx }
}

function boundedWidth(width: number): number {
  return Math.min(Math.max(width, widths.least), widths.most)
}
