/** A parsed value, or a problem as a phrase that follows the setting's name (`must be …`). */
export type Parsed<V> = { value: V } | { problem: string }
export type Parse<V> = (text: string) => Parsed<V>

/** Accepts text that passes the check. */
export function text(isValid: (text: string) => boolean, problem: string): Parse<string> {
  return text => (isValid(text) ? { value: text } : { problem })
}

/** Accepts one of the choices. */
export function choice<V extends string>(choices: readonly V[], problem: string): Parse<V> {
  return text => {
    const value = choices.find(each => each === text)
    return value === undefined ? { problem } : { value }
  }
}

/** Accepts a number in the range, and multiplies it by `unit`. */
export function number(options: {
  min: number
  max: number
  isInteger?: boolean
  unit?: number
}): Parse<number> {
  const { min, max, isInteger = false, unit = 1 } = options
  const problem = `must be a ${isInteger ? 'whole ' : ''}number from ${min} to ${max}`
  return text => {
    const value = Number(text)
    const isValid = value >= min && value <= max && (!isInteger || Number.isInteger(value))
    return isValid ? { value: value * unit } : { problem }
  }
}

/** Accepts items separated by commas. Ignores empty items. */
export function list(options: {
  isItem: (item: string) => boolean
  problem: string
  maxItems?: number
}): Parse<readonly string[]> {
  const { isItem, problem, maxItems = Number.POSITIVE_INFINITY } = options
  return text => {
    const items = text
      .split(',')
      .map(item => item.trim())
      .filter(item => item !== '')
    return items.length <= maxItems && items.every(isItem) ? { value: Object.freeze(items) } : { problem }
  }
}

/** Converts the values of another parser. */
export function mapped<V, W>(parse: Parse<V>, map: (value: V) => W): Parse<W> {
  return text => {
    const parsed = parse(text)
    return 'value' in parsed ? { value: map(parsed.value) } : parsed
  }
}
