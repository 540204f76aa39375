export type Frame = {
  functionName: string | null
  file: string
  line: number | null
  column: number | null
  inApp: boolean
  /** The first line of a cause, if its frames start here: `Caused by: TimeoutError: …`. */
  cause: string | null
  /** The source code around the frame, if a source map contains it. */
  code: { firstLine: number; lines: string[] } | null
  /** Why a frame of a generated file is not mapped to its source; `null` for all other frames. */
  unmapped: UnmappedFrame | null
}

export type UnmappedFrame = {
  /** The reason in a few words. */
  word: string
  /** The reason, and what to do about it. */
  explanation: string
  /** The command that uploads the missing source maps; `null` if an upload would not help. */
  uploadCommand: string | null
  /** Positions from maps that match equally well, newest map first; empty unless the frame is ambiguous. */
  positions: PossiblePosition[]
}

/** Why a position in a generated file could not be mapped to its source. */
export type Unmapped = {
  reason: UnmappedReason
  /** The event's service and release. */
  service: string
  release: string | null
  /** The releases or services with uploaded maps for the file, newest first. */
  candidates: string[]
  /** Positions from maps that match equally well, newest map first; only for `ambiguous`. */
  positions: PossiblePosition[]
}

/** The position according to one of several matching maps. Lines and columns are 1-based. */
export type PossiblePosition = {
  file: string
  line: number
  column: number
  /** The service specified in the upload. */
  service: string | null
  /** The path of the generated file, as specified in the upload. */
  path: string
  uploadedMs: number
}

export const unmappedReasons = [
  /** No map is stored for this file. */
  'missing',
  /** Maps are stored for the release and service, but none for this file. */
  'not-built',
  /** Maps for this file are stored only for other releases. */
  'wrong-release',
  /** The event has neither a release nor a debug id that matches a map. */
  'no-release',
  /** The event and the release's map have different debug ids. */
  'other-build',
  /** Maps for this file are stored only for other services. */
  'wrong-service',
  /** Several maps match equally well, with different positions. */
  'ambiguous',
  /** The map does not contain the position, so the map belongs to another build. */
  'not-in-map',
  /** The stored map is unreadable. */
  'broken',
  /** The stack has no column. The line alone is not enough, because a generated line contains much of the source. */
  'no-column',
] as const

export type UnmappedReason = (typeof unmappedReasons)[number]
