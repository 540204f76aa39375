import { errorCode } from './error-code.ts'

/** Returns the innermost cause of a failed request, because the outer message only says that it failed. */
export function causeOf(error: unknown): string {
  let cause = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || (errorCode(cause) ?? cause.name)
}
