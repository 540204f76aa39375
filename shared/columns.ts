/** The event fields that the log can show as columns. The time column is not listed, because it always comes first. */
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

/** `@` and the path of an attribute. */
export type AttributeKey = `@${string}`

/** A column of the log: a field, or an attribute with its dotted path. `widthPx: null` means the default width. */
export type Column = ({ field: ColumnName } | { attribute: string }) & { widthPx: number | null }

export const defaultColumns = 'severity,service,status,duration,message'

const maxColumns = 12
const maxPathLength = 100
const widthLimits = { min: 40, max: 1000 }

/**
 * Parses the columns in a URL, such as `service:160,message,@user.plan`: comma-separated names with optional widths. An
 * attribute starts with `@`. Skips invalid columns. Returns the default columns if none is valid.
 */
export function parseColumns(text: string): Column[] {
  const columns = new Map<string, Column>()
  for (const part of text.split(',')) {
    const [, name = '', width] = /^(.*?)(?::(\d{1,4}))?$/.exec(part.trim()) ?? []
    const column = columnOf(name, width === undefined ? null : clampWidth(Number(width)))
    if (column !== null && columns.size < maxColumns) columns.set(name, column)
  }
  return columns.size > 0 ? [...columns.values()] : parseColumns(defaultColumns)
}

export function writeColumns(columns: readonly Column[]): string {
  return columns
    .map(column => `${columnKey(column)}${column.widthPx === null ? '' : `:${column.widthPx}`}`)
    .join(',')
}

/** Returns the unique key of a column. */
export function columnKey(column: Column): ColumnName | AttributeKey {
  return 'field' in column ? column.field : `@${column.attribute}`
}

/** Returns the paths of the attribute columns. */
export function attributesOf(columns: readonly Column[]): string[] {
  return columns.flatMap(column => ('attribute' in column ? [column.attribute] : []))
}

function columnOf(name: string, widthPx: number | null): Column | null {
  const field = columnNames.find(each => each === name)
  if (field !== undefined) return { field, widthPx }
  return isAttributeKey(name) ? { attribute: name.slice(1), widthPx } : null
}

/** Whether a text is `@` and a path that is short enough for a URL. */
export function isAttributeKey(text: string): text is AttributeKey {
  return text.startsWith('@') && text.length > 1 && text.length <= maxPathLength + 1
}

function clampWidth(width: number): number {
  return Math.min(Math.max(width, widthLimits.min), widthLimits.max)
}
