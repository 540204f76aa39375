/** Returns an event's method and route, or only the route if the method is unknown. Returns `null` without a route. */
export function routeOf(method: string | null, route: string | null): string | null {
  return method === null || route === null ? route : `${method} ${route}`
}
