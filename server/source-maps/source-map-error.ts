/** Thrown for a source map that can't be used. The message is shown to the uploader. */
export class SourceMapError extends Error {
  override name = 'SourceMapError'
}
