import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { StoredSignature } from '../../failure-grouping.ts'

/** Frames are stored as compact pairs. */
const storedFrames = Type.Array(Type.Tuple([Type.Union([Type.String(), Type.Null()]), Type.String()]))

export function writeFrames(frames: Readonly<StoredSignature['frames']>): string {
  return JSON.stringify(frames.map(({ functionName, file }) => [functionName, file]))
}

/** Frames that another version wrote in a different format are ignored, so they match no stack. */
export function readFrames(json: string): StoredSignature['frames'] {
  const stored: unknown = JSON.parse(json)
  return Value.Check(storedFrames, stored)
    ? stored.map(([functionName, file]) => ({ functionName, file }))
    : []
}
