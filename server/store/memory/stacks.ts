import type { LogEvent } from '../../../shared/event.ts'
import { groupBy } from '../common/group-by.ts'
import type { FailureStore, MappedBuild } from '../failure-store.ts'
import type { Memory, Run } from './memory.ts'

/** Stacks whose failures may change when source maps are uploaded. */
export function memoryStacks(
  memory: Memory,
  run: Run,
): Pick<FailureStore, 'storedStacks' | 'regroup' | 'fingerprintsAfterRegroup'> {
  const stacksOf = (builds: readonly MappedBuild[]) =>
    groupBy(memory.events.filter(event => mayBeFromBuilds(builds, event)).toReversed(), stackKey)

  return {
    storedStacks: (builds, limit, signal) =>
      run(signal, () => {
        if (builds.length === 0) return []
        return stacksOf(builds)
          .sort(([a], [b]) => Number(isFromBuilds(builds, b)) - Number(isFromBuilds(builds, a)))
          .slice(0, limit)
          .map(([newest]) => ({ key: stackKey(newest), eventId: newest.id }))
      }),
    regroup: (builds, fingerprints) =>
      run(undefined, () => {
        const newFingerprints = new Map(fingerprints.map(({ key, fingerprint }) => [key, fingerprint]))
        let changed = 0
        for (const [newest, group] of stacksOf(builds)) {
          const fingerprint = newFingerprints.get(stackKey(newest))
          if (fingerprint === undefined) continue
          for (const event of group) event.fingerprint = fingerprint
          changed += group.length
        }
        return changed
      }),
    fingerprintsAfterRegroup: (builds, changes, fingerprints) =>
      run(undefined, () => {
        const keys = new Set(changes.map(({ key }) => key))
        const isChanged = (event: LogEvent) => mayBeFromBuilds(builds, event) && keys.has(stackKey(event))
        const left = new Set(
          memory.events.filter(event => !isChanged(event)).map(({ fingerprint }) => fingerprint),
        )
        return fingerprints.filter(fingerprint => left.has(fingerprint))
      }),
  }
}

function mayBeFromBuilds(builds: readonly MappedBuild[], event: LogEvent): boolean {
  if (event.fingerprint === null || (event.exception?.stack ?? null) === null || event.source === 'own')
    return false
  return event.attributes.debugIds !== undefined || isFromBuilds(builds, event)
}

function isFromBuilds(builds: readonly MappedBuild[], event: LogEvent): boolean {
  return builds.some(
    ({ service, release }) => event.release === release && (service === null || event.service === service),
  )
}

/** Everything that determines the fingerprint. Excludes the message in the stack, because it differs between occurrences. */
function stackKey({ service, release, fingerprint, route, exception, attributes }: LogEvent): string {
  const stack = exception?.stack ?? ''
  const message = exception?.message ?? ''
  const frames = stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : stack
  return JSON.stringify([service, release, fingerprint, route, frames, attributes.debugIds])
}
