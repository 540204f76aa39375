/** Kinds of data that endpoints accept but do not store, such as most spans of a trace. */
export const ignoredKinds = [
  'span',
  'replay',
  'profile',
  'attachment',
  'check-in',
  'metric',
  /** Sentry's SDKs report how many items they did not send. */
  'discarded by an SDK',
  'other',
] as const

export type IgnoredKind = (typeof ignoredKinds)[number]

export type IgnoredCounts = { readonly [kind in IgnoredKind]?: number }

export function totalIgnored(counts: IgnoredCounts): number {
  return ignoredKinds.reduce((total, kind) => total + (counts[kind] ?? 0), 0)
}
