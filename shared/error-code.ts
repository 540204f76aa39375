/** Returns the code of an error from Node.js or a library, such as `ENOENT`. Returns `null` if there is none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}
