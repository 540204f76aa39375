/** An invalid source map. The message, which continues a sentence, is returned to the uploader. */
export class SourceMapError extends Error {
  override name = 'SourceMapError'
}
