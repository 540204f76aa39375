import type { NewEvent } from '../../../shared/event.ts'
import { readDebugId } from './source-map.ts'

/** What an event says of the build that its stack names files of. */
export type Origin = {
  release: string | null
  /** The debug id of each generated file, by the file's name as the stack has it. */
  debugIds: ReadonlyMap<string, string>
}

const mostDebugIds = 200

/** Of an event's release, and of its attribute `debugIds`, an object of files and ids as `sixpane/browser` sends it. */
export function originOf({ release, attributes }: Pick<NewEvent, 'release' | 'attributes'>): Origin {
  const { debugIds } = attributes
  if (typeof debugIds !== 'object' || debugIds === null) return { release, debugIds: none }
  const known = Object.entries(debugIds)
    .slice(0, mostDebugIds)
    .flatMap(([file, value]): [string, string][] => {
      const id = readDebugId(value)
      return id === null ? [] : [[file, id]]
    })
  return { release, debugIds: new Map(known) }
}

const none: ReadonlyMap<string, string> = new Map()
