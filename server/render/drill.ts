import type { Drill } from '../../shared/screens/development.ts'
import { drills } from '../../shared/screens/development.ts'

/** The step at which the page should fail, or `null`. */
export type RequestedDrill = Drill | null

/** Parses `?drill=…`. Returns `null` unless drills are enabled. */
export function requestedDrill(search: string | null, enabled: boolean): RequestedDrill {
  if (!enabled) return null
  const requested = new URLSearchParams(search ?? '').get('drill')
  return drills.find(drill => drill === requested) ?? null
}

export function throwInContent(): never {
  throw new Error('The content of this page fails on purpose (drill)')
}

export function throwInRender(): never {
  throw new Error('The render of this page fails on purpose (drill)')
}

/** Rejects after the head of the page has been sent. */
export function rejectLate(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('The rest of this page fails on purpose (drill)')), 50)
  })
}
