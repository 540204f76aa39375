/** Thrown for an invalid source map. The message follows `This source map can't be used.` in the response. */
export class SourceMapError extends Error {
  override name = 'SourceMapError'
}
