import type { Sql, Value } from '../../common/sql.ts'

/**
 * The statement in the engine's format: text with typed parameters, and the value of each parameter. Equal values share a
 * parameter, because each parameter slows the statement down.
 * @throws TypeError for bytes, because a parameter is text
 */
export function statement({ texts, values }: Pick<Sql, 'texts' | 'values'>): {
  text: string
  params: Record<string, unknown>
} {
  const names = new Map<Value, string>()
  const parameter = (value: Value) => {
    if (value === null) return 'NULL'
    const name = names.get(value) ?? `p${names.size}`
    names.set(value, name)
    return `{${name}:${typeOf(value)}}`
  }
  const text = texts.reduce((all, part, index) =>
    index === 0 ? part : `${all}${parameter(values[index - 1] ?? null)}${part}`,
  )
  return { text, params: Object.fromEntries(Array.from(names, ([value, name]) => [name, value])) }
}

function typeOf(value: Exclude<Value, null>): string {
  if (typeof value === 'string') return 'String'
  if (typeof value === 'boolean') return 'Bool'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'Int64' : 'Float64'
  throw new TypeError('Bytes cannot be a parameter')
}
