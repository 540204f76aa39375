/** Thrown for an invalid source map. In a response, the message follows text that identifies the map. */
export class SourceMapError extends Error {
  override name = 'SourceMapError'
}
