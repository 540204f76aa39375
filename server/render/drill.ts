import type { Drill } from '../../shared/screens/development.ts'
import { drills } from '../../shared/screens/development.ts'

/** The way in which a page is to fail on purpose, if any. */
export type Drilled = Drill | null

/** Reads `?drill=…`; `null` unless drills are enabled. */
export function drillOf(params: URLSearchParams, enabled: boolean): Drilled {
  return (enabled && drills.find(drill => drill === params.get('drill'))) || null
}

export function failContent(): never {
  throw new Error('The content of this page fails on purpose (drill)')
}

export function failRender(): never {
  throw new Error('The render of this page fails on purpose (drill)')
}

/** Rejects once the head of the page has been sent. */
export function failLate(): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('The rest of this page fails on purpose (drill)')), 50)
  })
}
