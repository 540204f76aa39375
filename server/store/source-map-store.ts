/** Stores the bytes of uploaded source maps. */
export type SourceMapStore = {
  /** All source maps in upload order, without contents. */
  list(): Promise<SourceMapHeader[]>
  /**
   * Stores a map, then deletes the oldest other maps until the total size is within `limitBytes`. Once the promise resolves,
   * the map survives even if the process is killed. If the id exists, stores the content only if it is missing, and updates
   * the upload time, so that the maps of a redeployed release are not the next to be deleted.
   */
  put(map: NewSourceMap, content: Uint8Array, limitBytes: number): Promise<PutResult>
  /** Reads up to `length` bytes of a map's content from `start`; `null` if the map is not stored. */
  read(id: string, start: number, length: number): Promise<Uint8Array | null>
  /** Records that these maps have been applied to stored failures. */
  markApplied(ids: readonly string[]): Promise<void>
}

export type NewSourceMap = {
  /** Contains only letters, digits, `-` and `_`. */
  id: string
  release: string
  /** The path of the generated file, as given in the upload. */
  path: string
  debugId: string | null
  /** `null` means that any service may use the map. */
  service: string | null
  /** When the map was last uploaded. */
  uploadedMs: number
}

/** `isNew` is `false` if the id already existed. `deleted` contains the maps that were deleted to make room. */
export type PutResult = { isNew: boolean; deleted: SourceMapHeader[] }

export type SourceMapHeader = NewSourceMap & { sizeBytes: number; isApplied: boolean }
