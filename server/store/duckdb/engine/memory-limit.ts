const gibibyte = 1024 ** 3

/**
 * Returns the engine's memory limit: a quarter of the memory of the machine or the container, but at most 1 GiB. Queries that
 * need more write intermediate results to disk, or fail.
 * @param constrainedBytes the container's memory limit; without a limit, 0 or a number above `totalBytes`
 */
export function defaultMemoryBytes(totalBytes: number, constrainedBytes: number): number {
  const availableBytes = constrainedBytes > 0 ? Math.min(totalBytes, constrainedBytes) : totalBytes
  return Math.min(availableBytes / 4, gibibyte)
}
