import type { RequestFilter } from '../event-store.ts'

/** Whether a filter selects the events of a service. */
export function selectsService(
  { service, except }: Pick<RequestFilter, 'service' | 'except'>,
  name: string,
): boolean {
  return service === null ? name !== except : name === service
}
