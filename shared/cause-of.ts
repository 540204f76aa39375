import { errorCode } from './error-code.ts'

/** Returns the innermost cause of a failed request, because the outer message only says that it failed. */
export function causeOf(error: unknown): string {
  let cause = error
  // An error may be its own cause.
  for (let left = 10; left > 0 && cause instanceof Error && cause.cause != null; left--) cause = cause.cause
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || (errorCode(cause) ?? cause.name)
}
