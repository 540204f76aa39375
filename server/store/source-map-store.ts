/** Where the source maps of services are kept. Their contents are bytes to it. */
export type SourceMapStore = {
  /** All that are kept, in the order of their upload, without their contents. */
  list(): Promise<SourceMapHeader[]>
  /**
   * Keeps a map, and drops the oldest of the others until all take `limitBytes` at most. Once it resolves the map
   * survives a kill of the process. `false` where one with its id is kept already: nothing is changed then.
   */
  put(map: NewSourceMap, content: Uint8Array, limitBytes: number): Promise<boolean>
  /** At most `length` bytes of a map's content from `start` on, or `null` where it is not kept (any more). */
  read(id: string, start: number, length: number): Promise<Uint8Array | null>
  /** Notes that the failures of kept events were identified by these maps. */
  applied(ids: readonly string[]): Promise<void>
}

export type NewSourceMap = {
  /** Letters, digits, `-` and `_` alone. */
  id: string
  release: string
  /** Of the generated file, as the upload named it. */
  path: string
  debugId: string | null
  /** `null` for one that was uploaded without a service, which any service may use. */
  service: string | null
  uploadedMs: number
}

export type SourceMapHeader = NewSourceMap & { sizeBytes: number; isApplied: boolean }
