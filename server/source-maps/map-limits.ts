/** Limits on an uploaded source map. They are the same for all upload endpoints. */
export const mapLimits = {
  /** Parsing a map uses several times its size in memory. */
  sizeBytes: 64e6,
  /** The length of each name: the release, the path and the service. */
  nameLength: 500,
}
