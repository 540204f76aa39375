import { errorCode } from '../../shared/error-code.ts'

/** The result of a check. `text` says what is wrong and what to do. */
export type Finding = { check: string; level: 'ok' | 'warning' | 'problem'; text: string }

export function ok(check: string, text: string): Finding {
  return { check, level: 'ok', text }
}

export function warning(check: string, text: string): Finding {
  return { check, level: 'warning', text }
}

export function problem(check: string, text: string): Finding {
  return { check, level: 'problem', text }
}

/** Returns the innermost cause of a failed request, because the outer message only says that it failed. */
export function causeOf(error: unknown): string {
  let cause = error
  while (cause instanceof Error && cause.cause !== undefined) cause = cause.cause
  if (!(cause instanceof Error)) return String(cause)
  return cause.message || (errorCode(cause) ?? '')
}
