import { DuckDBListVector, type DuckDBResult } from '@duckdb/node-api'

/** A result whose values are converted when they are read. */
export type Result = {
  readonly rowCount: number
  value(column: number, row: number): unknown
  /**
   * Returns a list, which must not be `NULL`. Unlike `value`, does not copy the items to an array, which would stay in memory
   * as long as the result.
   * @throws TypeError if the column does not contain lists
   */
  list(column: number, row: number): ListItems
}

export type ListItems = { readonly length: number; at(index: number): unknown }

/** Reads a whole result. */
export async function readChunks(result: DuckDBResult): Promise<Result> {
  // Each access to a chunk's `rowCount` calls the engine.
  const chunks = (await result.fetchAllChunks()).map(chunk => ({ chunk, rowCount: chunk.rowCount }))
  // Rows are usually read in order, so the search for a row starts at the chunk of the previous row.
  let index = 0
  let firstRow = 0
  const locate = (column: number, row: number) => {
    if (row < firstRow) [index, firstRow] = [0, 0]
    for (let current = chunks[index]; current !== undefined; current = chunks[index]) {
      const { chunk, rowCount } = current
      const rowInChunk = row - firstRow
      if (rowInChunk < rowCount) return { vector: chunk.getColumnVector(column), rowInChunk }
      firstRow += rowCount
      index += 1
    }
    throw new RangeError(`The result has no row ${row}`)
  }
  return {
    rowCount: chunks.reduce((sum, { rowCount }) => sum + rowCount, 0),
    value(column, row) {
      const { vector, rowInChunk } = locate(column, row)
      return vector.getItem(rowInChunk)
    },
    list(column, row) {
      const { vector, rowInChunk } = locate(column, row)
      if (!(vector instanceof DuckDBListVector)) throw new TypeError('Expected a list from the engine')
      const items = vector.childVector
      const offset = vector.getEntryOffset(rowInChunk)
      return {
        length: vector.getEntryLength(rowInChunk),
        at: item => items.getItem(offset + item),
      }
    },
  }
}
