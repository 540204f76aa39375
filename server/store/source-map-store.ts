/** Stores the source maps of services, as bytes. */
export type SourceMapStore = {
  /** All source maps in the order of their upload, without contents. */
  list(): Promise<SourceMapHeader[]>
  /**
   * Stores a map, and deletes the oldest others until the total is at most `limitBytes`. Once the promise resolves, the map
   * survives a kill of the process. Returns `false`, and changes nothing, if the id exists.
   */
  put(map: NewSourceMap, content: Uint8Array, limitBytes: number): Promise<boolean>
  /** At most `length` bytes of a map's content, beginning at `start`; `null` if the map is not stored. */
  read(id: string, start: number, length: number): Promise<Uint8Array | null>
  /** Records that these maps were applied to the failures of stored events. */
  markApplied(ids: readonly string[]): Promise<void>
}

export type NewSourceMap = {
  /** Only letters, digits, `-` and `_`. */
  id: string
  release: string
  /** The path of the generated file, from the upload. */
  path: string
  debugId: string | null
  /** `null` if any service may use the map. */
  service: string | null
  uploadedMs: number
}

export type SourceMapHeader = NewSourceMap & { sizeBytes: number; isApplied: boolean }
