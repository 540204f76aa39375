/** Limits on an uploaded source map, for every way to upload it. */
export const mapLimits = {
  /** Parsing a map uses several times its size in memory. */
  sizeBytes: 64e6,
  /** The length of the release, the path and the service. */
  nameLength: 500,
}
