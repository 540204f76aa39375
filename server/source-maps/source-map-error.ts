/** An invalid source map. Its message continues a sentence and is returned to the uploader. */
export class SourceMapError extends Error {
  override name = 'SourceMapError'
}
