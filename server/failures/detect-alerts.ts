import type { Scan, ScanResult } from '../store/failure-store.ts'
import { isReturn } from './resolve-policy.ts'

/** Something to tell of a failure, without its figures yet. */
export type News = {
  kind: 'new' | 'returned'
  fingerprint: string
  release: string | null
  atMs: number
}

/** What a look through the occurrences found: the first of each new failure, and the first that shows a return. */
export function findNews({ occurrences, lastId }: Scan): { news: News[]; findings: ScanResult } {
  const news = new Map<string, News>()
  const returned: ScanResult['returned'] = []
  for (const { fingerprint, service, release, acceptedMs, resolution } of occurrences) {
    if (news.has(fingerprint)) continue
    if (resolution === null) {
      news.set(fingerprint, { kind: 'new', fingerprint, release, atMs: acceptedMs })
    } else if (isReturn({ service, release }, resolution)) {
      news.set(fingerprint, { kind: 'returned', fingerprint, release, atMs: acceptedMs })
      returned.push({ fingerprint, release, atMs: acceptedMs, resolvedMs: resolution.atMs })
    }
  }
  const known = [...news.values()].filter(({ kind }) => kind === 'new').map(({ fingerprint }) => fingerprint)
  return { news: [...news.values()], findings: { known, returned, lastId } }
}
