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
