import type { NewEvent } from '../../shared/event.ts'
import { readDebugId } from './source-map.ts'

/** Identifies the build that produced the files in an event's stack. */
export type BuildInfo = {
  service: string
  release: string | null
  /** Debug ids of generated files, keyed by the file name in the stack. */
  debugIds: ReadonlyMap<string, string>
}

const maxDebugIds = 200

/** The fields of an event that identify its build. */
export type EventBuildFields = Pick<NewEvent, 'service' | 'release' | 'attributes'>

/**
 * Returns the service, release and debug ids of an event. `sixpane/browser` sends the debug id of each file in the
 * attribute `debugIds`.
 */
export function buildInfoOf({ service, release, attributes }: EventBuildFields): BuildInfo {
  const { debugIds } = attributes
  if (typeof debugIds !== 'object' || debugIds === null) return { service, release, debugIds: none }
  const valid = Object.entries(debugIds)
    .slice(0, maxDebugIds)
    .flatMap(([file, value]): [string, string][] => {
      const id = readDebugId(value)
      return id === null ? [] : [[file, id]]
    })
  return { service, release, debugIds: new Map(valid) }
}

const none: ReadonlyMap<string, string> = new Map()
