type TypedArray = Uint16Array | Uint32Array | Float64Array

export type GrowingArray<Values extends TypedArray> = {
  length(): number
  push(value: number): void
  /** Returns a copy without unused elements. */
  toArray(): Values
}

const firstLength = 64

/**
 * Collects numbers in a typed array. An ordinary array takes up to four times the memory, and the garbage collector has to
 * copy it.
 */
export function createGrowingArray<Values extends TypedArray>(
  ArrayType: new (length: number) => Values,
): GrowingArray<Values> {
  let values: TypedArray = new ArrayType(firstLength)
  let length = 0
  const copy = (copyLength: number): Values => {
    const copied = new ArrayType(copyLength)
    copied.set(values.subarray(0, length))
    return copied
  }
  return {
    length: () => length,
    push(value) {
      if (length === values.length) values = copy(2 * length)
      values[length] = value
      length += 1
    },
    toArray: () => copy(length),
  }
}
