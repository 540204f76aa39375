/**
 * Packs the hydration data of a page: for each list, writes the field names, and the values that all items share, only once.
 * This halves the data of a log with a hundred rows.
 */

type Item = Readonly<Record<string, unknown>>

/** The key of a packed list: `[field names, common values by name index, other values of each item]`. */
const packedKey = '$list'

/** Converts a value to one with the same data but shorter JSON. */
export function pack(value: unknown): unknown {
  if (Array.isArray(value)) {
    const values: readonly unknown[] = value
    return isUniform(values) ? packItems(values) : values.map(pack)
  }
  if (!isItem(value)) return value
  // External data may contain a field with this name.
  if (Object.hasOwn(value, packedKey)) return { ...packItems([value]), one: true }
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, pack(each)]))
}

/** Parses and unpacks JSON. Like `JSON.parse`, does not check the type. */
export function parsePacked(json: string): ReturnType<typeof JSON.parse> {
  return unpack(JSON.parse(json))
}

function unpack(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpack)
  if (!isItem(value)) return value
  const packed = value[packedKey]
  if (packed === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, unpack(each)]))
  }
  const items = unpackItems(packed)
  return value.one === true ? items[0] : items
}

function packItems(items: readonly Item[]): Item {
  const [first = {}] = items
  const names = fieldsOf(first)
  const isCommon = (name: string) => {
    const value = first[name]
    return (typeof value !== 'object' || value === null) && items.every(item => item[name] === value)
  }
  const common = names.filter(isCommon)
  const others = names.filter(name => !common.includes(name))
  return {
    [packedKey]: [
      names,
      common.map(name => [names.indexOf(name), first[name]]),
      items.map(item => others.map(name => pack(item[name]))),
    ],
  }
}

function unpackItems(packed: unknown): Item[] {
  if (!Array.isArray(packed)) throw new Error('The list is not packed')
  const [names, common, rows]: [string[], [number, unknown][], unknown[][]] = [
    packed[0],
    packed[1],
    packed[2],
  ]
  const commonValues = new Map(common)
  return rows.map(row => {
    let next = 0
    const fields = names.map((name, index): [string, unknown] => [
      name,
      commonValues.has(index) ? commonValues.get(index) : unpack(row[next++]),
    ])
    return Object.fromEntries(fields)
  })
}

/** Whether the array consists of two or more objects with the same fields in the same order. */
function isUniform(values: readonly unknown[]): values is readonly Item[] {
  const [first] = values
  if (values.length < 2 || !isItem(first)) return false
  const names = fieldsOf(first)
  return values.every(value => {
    if (!isItem(value)) return false
    const others = fieldsOf(value)
    return others.length === names.length && others.every((name, index) => name === names[index])
  })
}

/** Returns the fields that `JSON.stringify` writes. */
function fieldsOf(item: Item): string[] {
  return Object.keys(item).filter(name => item[name] !== undefined)
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
