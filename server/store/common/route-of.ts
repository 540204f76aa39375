/** Returns the method and the route of an event, as far as they are known. */
export function routeOf(method: string | null, route: string | null): string | null {
  return method === null || route === null ? route : `${method} ${route}`
}
