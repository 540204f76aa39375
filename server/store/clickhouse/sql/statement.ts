import type { Sql, Value } from '../../common/sql.ts'
import { literal, numberType } from './literal.ts'

/** Parameters are part of the URL, whose length proxies and servers limit. */
const maxParametersLength = 4096

type Bound = Exclude<Value, null | Uint8Array>

/**
 * The statement in the engine's format: text with typed parameters, and the value of each parameter. Equal values share a
 * parameter, because each parameter slows the statement down. If the values are too long for parameters, the text contains
 * them as literals: ClickHouse limits the length of each parameter, but not that of the text, which is the request's body.
 * @throws TypeError for bytes, because a parameter is text
 */
export function statement({ texts, values }: Pick<Sql, 'texts' | 'values'>): {
  text: string
  params: Record<string, unknown>
} {
  const bound = values.map(toBound)
  const names = new Map<Bound, string>()
  for (const value of bound) if (value !== null && !names.has(value)) names.set(value, `p${names.size}`)
  const params = Array.from(names, ([value, name]): [string, Bound] => [name, value])
  const isShort = fitsInUrl(params)
  const write = (value: Bound) => (isShort ? `{${names.get(value)}:${typeOf(value)}}` : literal(value))
  const text = texts.reduce((all, part, index) => {
    const value = bound[index - 1] ?? null
    return `${all}${value === null ? 'NULL' : write(value)}${part}`
  })
  return { text, params: isShort ? Object.fromEntries(params) : {} }
}

function toBound(value: Value): Bound | null {
  if (value instanceof Uint8Array) throw new TypeError('Bytes cannot be a parameter')
  return value
}

function fitsInUrl(params: readonly [string, Bound][]): boolean {
  const length = params.reduce((sum, [, value]) => sum + String(value).length, 0)
  // Avoids encoding long values only to measure them.
  if (length > maxParametersLength) return false
  const encoded = new URLSearchParams(params.map(([name, value]) => [`param_${name}`, String(value)]))
  return encoded.toString().length <= maxParametersLength
}

function typeOf(value: Bound): string {
  if (typeof value === 'string') return 'String'
  return typeof value === 'boolean' ? 'Bool' : numberType(value)
}
