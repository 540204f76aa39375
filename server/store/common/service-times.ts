/** When stored events occurred. If there are more than `maxTimes` entries of a kind, only the newest ones are included. */
export type ServiceTimes = {
  /** The times of the first and last events of each service and source. */
  sources: NestedMap<{ firstUs: number; lastUs: number }>
  /** The time of the first event of each service and release. */
  releases: NestedMap<{ firstUs: number }>
}

/** Keyed by service, then by source or release. */
type NestedMap<Value> = ReadonlyMap<string, ReadonlyMap<string, Readonly<Value>>>

/** Gives a query access to the times of the services that it may read. */
export type TimesSource = { serviceTimes(): Promise<ServiceTimes> }

/** More entries, for example one for each deployment of many services, would need too much memory. */
export const maxTimes = 50_000

/** Returns only the times of these services. */
export function limitTimes({ sources, releases }: ServiceTimes, services: ReadonlySet<string>): ServiceTimes {
  const visible = <Value>(times: ReadonlyMap<string, Value>) =>
    new Map([...times].filter(([service]) => services.has(service)))
  return { sources: visible(sources), releases: visible(releases) }
}
