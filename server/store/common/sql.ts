export type Value = string | number | boolean | null | Uint8Array

/** A fragment of an SQL statement: strings, with a bound value between adjacent strings. */
export type Sql = {
  readonly texts: readonly string[]
  readonly values: readonly Value[]
  /** Whether the statement reads long text from many events. Quick statements do not queue behind slow ones. */
  readonly isSlow: boolean
}

/**
 * Template tag for a fragment of a statement. `${}` contains another fragment or a value. The engine binds values, or writes
 * long ones as literals, so a value never changes the syntax.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly (Value | Sql)[]): Sql {
  return concat(strings, parts)
}

/** Turns text into a fragment. The caller must ensure that no value from outside can change the syntax. */
export function raw(text: string): Sql {
  return { texts: [text], values: [], isSlow: false }
}

/**
 * The name of a table or column.
 * @throws TypeError unless `text` is a plain lower-case name, so that no value can be used as a name
 */
export function name(text: string): Sql {
  if (!/^[a-z_][a-z0-9_]*$/.test(text)) throw new TypeError('Not a table or column name')
  return raw(text)
}

/** Marks a fragment, and every statement that contains it, as slow. */
export function slow(fragment: Sql): Sql {
  return { ...fragment, isSlow: true }
}

/** Joins fragments with a separator. */
export function join(fragments: readonly Sql[], separator: string): Sql {
  const between = fragments.map((_, index) => (index === 0 ? '' : separator))
  return concat([...between, ''], fragments)
}

/** Concatenates strings and the parts between them, in linear time. */
function concat(strings: readonly string[], parts: readonly (Value | Sql)[]): Sql {
  const texts = [strings[0] ?? '']
  const values: Value[] = []
  const extend = (text: string) => {
    texts[texts.length - 1] += text
  }
  parts.forEach((part, index) => {
    if (isFragment(part)) {
      part.texts.forEach((text, inner) => {
        if (inner === 0) extend(text)
        else texts.push(text)
      })
      for (const value of part.values) values.push(value)
      extend(strings[index + 1] ?? '')
    } else {
      values.push(part)
      texts.push(strings[index + 1] ?? '')
    }
  })
  return { texts, values, isSlow: parts.some(part => isFragment(part) && part.isSlow) }
}

function isFragment(part: Value | Sql): part is Sql {
  return typeof part === 'object' && part !== null && 'texts' in part
}
