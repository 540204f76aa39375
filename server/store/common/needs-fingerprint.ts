import type { Query } from '../../../shared/query.ts'

/** Whether only events with a fingerprint can match. */
export function needsFingerprint(query: Query): boolean {
  switch (query.kind) {
    case 'and':
      return needsFingerprint(query.left) || needsFingerprint(query.right)
    case 'or':
      return needsFingerprint(query.left) && needsFingerprint(query.right)
    case 'field':
      return query.field === 'failure' || query.field === 'fingerprint'
    default:
      return false
  }
}
