/** Thrown if the copy cannot begin or continue. `message` explains the cause and the fix, and contains no credentials. */
export class CopyError extends Error {
  override name = 'CopyError'
}
