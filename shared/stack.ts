export type Frame = {
  functionName: string | null
  file: string
  line: number | null
  column: number | null
  inApp: boolean
  /** The source around the frame, if a source map contains it. */
  code: { firstLine: number; lines: string[] } | null
  /** Why a frame of a generated file is not mapped to its source; `null` for all other frames. */
  unmapped: Unmapped | null
}

/** Why a position in a generated file could not be mapped to its source. */
export type Unmapped = {
  reason: UnmappedReason
  /** Service and release of the event. */
  service: string
  release: string | null
  /** The releases or services that do have uploaded maps of the file, newest first. */
  candidates: string[]
  /** Positions in maps that match equally well, newest first; only for `ambiguous`. */
  positions: PossiblePosition[]
}

/** The position according to one of several matching maps. Lines and columns are 1-based. */
export type PossiblePosition = {
  file: string
  line: number
  column: number
  /** The service given with the upload. */
  service: string | null
  /** The path of the generated file given with the upload. */
  path: string
  uploadedMs: number
}

export const unmappedReasons = [
  /** No map of this file was uploaded. */
  'missing',
  /** Maps of this file were uploaded for other releases only. */
  'wrong-release',
  /** The event has no release, and no debug id that matches a map. */
  'no-release',
  /** The debug ids of the event and of the release's map differ. */
  'other-build',
  /** Maps of this file were uploaded for other services only. */
  'wrong-service',
  /** Several maps match equally well, with different positions. */
  'ambiguous',
  /** The map does not contain the position, so it belongs to another build. */
  'not-in-map',
  /** The stored map is unreadable. */
  'broken',
  /** The stack has no column, and one generated line covers much of the source. */
  'no-column',
] as const

export type UnmappedReason = (typeof unmappedReasons)[number]
