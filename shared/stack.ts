export type Frame = {
  functionName: string | null
  file: string
  line: number | null
  column: number | null
  inApp: boolean
  /** Lines of source around the frame, where a source map holds them. */
  code: { firstLine: number; lines: string[] } | null
  /** Why a frame of a generated file is not mapped to its source; `null` for any other. */
  unmapped: Unmapped | null
}

/** Why a place of a generated file could not be led back to its source. */
export type Unmapped = {
  reason: UnmappedReason
  /** The event's. */
  service: string
  release: string | null
  /** What maps of the file were uploaded for instead, the newest first: other releases or other services. */
  candidates: string[]
  /** Where the maps lead that fit equally well, the newest first; only for `ambiguous`. */
  places: PossiblePlace[]
}

/** Where one of several maps leads. Lines and columns count from 1. */
export type PossiblePlace = {
  file: string
  line: number
  column: number
  /** As the upload of the map named it. */
  service: string | null
  /** The generated file, as the upload of the map named it. */
  path: string
  uploadedMs: number
}

export const unmappedReasons = [
  /** No map of this file was uploaded. */
  'missing',
  /** Maps of this file were uploaded for other releases only. */
  'wrong-release',
  /** The event names no release, and no debug id that leads to a map. */
  'no-release',
  /** The debug id of the event is not that of the release's map. */
  'other-build',
  /** Maps of this file were uploaded for other services only. */
  'wrong-service',
  /** Several maps fit equally well, and lead to different places. */
  'ambiguous',
  /** The map is there, and does not have the place: it is of another build. */
  'not-in-map',
  /** The map can't be read any more. */
  'broken',
  /** The stack says the line alone, and a generated line is any part of the source. */
  'no-column',
] as const

export type UnmappedReason = (typeof unmappedReasons)[number]
