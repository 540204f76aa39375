const gibibyte = 1024 ** 3

/**
 * The memory limit of the engine: a quarter of the memory of the machine or of the container, and at most 1 GiB. Queries that
 * need more write intermediate results to disk, or fail.
 * @param constrainedBytes the limit of the container; 0 or more than the machine has, if there is none
 */
export function defaultMemoryBytes(totalBytes: number, constrainedBytes: number): number {
  const availableBytes = constrainedBytes > 0 ? Math.min(totalBytes, constrainedBytes) : totalBytes
  return Math.min(availableBytes / 4, gibibyte)
}
