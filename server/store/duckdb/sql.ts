import { BIGINT, BOOLEAN, DOUBLE, type DuckDBType, VARCHAR } from '@duckdb/node-api'

export type Value = string | number | boolean

/** A piece of a statement: `texts` with one bound value between each two of them. */
export type Sql = { readonly texts: readonly string[]; readonly values: readonly Value[] }

/**
 * Writes a piece of a statement. What stands in `${}` is either another piece or a value, and a value is
 * always bound: no way leads from a value into the text.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Value | Sql)[]): Sql {
  const texts = [strings[0] ?? '']
  const values: Value[] = []
  parts.forEach((part, index) => {
    const after = strings[index + 1] ?? ''
    const inner = typeof part === 'object' ? part : { texts: ['', ''], values: [part] }
    const [first = '', ...rest] = inner.texts
    texts.push(`${texts.pop()}${first}`, ...rest)
    texts.push(`${texts.pop()}${after}`)
    values.push(...inner.values)
  })
  return { texts, values }
}

/**
 * A name of a table or column.
 * @throws TypeError for what is not a plain lower-case name, so that no value passes for one
 */
export function name(text: string): Sql {
  if (!/^[a-z_][a-z0-9_]*$/.test(text)) throw new TypeError('Not a name of this store')
  return { texts: [text], values: [] }
}

/** Pieces one after another, with the separator between each two. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  const between: Sql = { texts: [separator], values: [] }
  return pieces.reduce((all, piece, index) => (index === 0 ? piece : sql`${all}${between}${piece}`), sql``)
}

/** The statement as the engine takes it: text with numbered parameters, values, and the type of each value. */
export function statement({ texts, values }: Sql): { text: string; values: Value[]; types: DuckDBType[] } {
  const text = texts.reduce((all, part, index) => (index === 0 ? part : `${all}$${index}${part}`), '')
  return { text, values: [...values], types: values.map(typeOf) }
}

function typeOf(value: Value): DuckDBType {
  if (typeof value === 'string') return VARCHAR
  if (typeof value === 'boolean') return BOOLEAN
  // Not left to the library: it takes a fraction for DOUBLE and a whole number for INTEGER or BIGINT by size.
  return Number.isSafeInteger(value) ? BIGINT : DOUBLE
}
