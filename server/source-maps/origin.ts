import type { NewEvent } from '../../shared/event.ts'
import { readDebugId } from './source-map.ts'

/** What an event says about the build that its stack names files of. */
export type Origin = {
  service: string
  release: string | null
  /** The debug id of each generated file, by the file's name as the stack has it. */
  debugIds: ReadonlyMap<string, string>
}

const mostDebugIds = 200

/** The part of an event that says which build its stack is from. */
export type FromBuild = Pick<NewEvent, 'service' | 'release' | 'attributes'>

/** Reads service, release, and the attribute `debugIds`: an object of files and ids, as `sixpane/browser` sends it. */
export function originOf({ service, release, attributes }: FromBuild): Origin {
  const { debugIds } = attributes
  if (typeof debugIds !== 'object' || debugIds === null) return { service, release, debugIds: none }
  const known = Object.entries(debugIds)
    .slice(0, mostDebugIds)
    .flatMap(([file, value]): [string, string][] => {
      const id = readDebugId(value)
      return id === null ? [] : [[file, id]]
    })
  return { service, release, debugIds: new Map(known) }
}

const none: ReadonlyMap<string, string> = new Map()
