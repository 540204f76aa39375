import type { EventRow } from '../../../shared/event.ts'

/** The method and the route of a request or, without a route, its path; `null` if neither is known. */
export function routeOrPath({ method, route, path }: EventRow): string | null {
  const target = route ?? path ?? null
  return target === null || method === null ? target : `${method} ${target}`
}
