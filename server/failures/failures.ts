import { dirname } from 'node:path'
import type { Exception } from '../../shared/event.ts'
import type { Frame } from '../../shared/stack.ts'
import type { Build } from '../build.ts'
import { type Fingerprint, fingerprint } from '../grouping/fingerprint.ts'
import { buildInfoOf, type EventBuildFields } from '../source-maps/build-info.ts'
import { createBuildMaps } from '../source-maps/build-maps.ts'
import { type MappedFrame, mapFrame } from '../source-maps/map-frame.ts'
import type { MappingResult } from '../source-maps/map-service-frame.ts'
import type { ServiceMaps } from '../source-maps/service-maps.ts'
import { codeExcerpt } from '../stacks/code-excerpt.ts'
import { locateFile } from '../stacks/file-location.ts'
import { formatFrame, framesWithCauses, parseStack, type StackFrame } from '../stacks/stack.ts'
import { exceptionOf, reportedException } from './describe-exception.ts'
import { explainUnmapped } from './explain-unmapped.ts'
import { createFingerprintEvents, type FingerprintEvents } from './fingerprint-events.ts'
import { reportedCode } from './reported-code.ts'

/** Describes failures from thrown values, reports and events. */
export type Failures = {
  /**
   * Maps the stack of a value that was thrown in this process to source, and computes its digest, which is also its
   * fingerprint. Never throws.
   */
  describe(thrown: unknown): Promise<DescribedFailure>
  /** Like `describe`, for an exception that Sixpane's own client reported. Its frames refer to served chunks. */
  describeReported(exception: Exception): Promise<DescribedFailure>
  fingerprint: Fingerprint
  /** See `FingerprintEvents`. */
  fingerprintEvents: FingerprintEvents
  /**
   * Returns the frames of a stack, with the surrounding code from Sixpane's own build or uploaded source maps. If a stack
   * is already mapped, its frames have code only if `from` is this build, because lines may differ in other builds.
   */
  frames(stack: string, from?: EventBuildFields): Promise<Frame[]>
  /** Returns a `frames` function for a user who may see only these services. It uses no source maps of other services. */
  limitedTo(services: readonly string[]): Pick<Failures, 'frames'>
}

export type DescribedFailure = { digest: string; exception: Exception }

/** @param options `services`: the services' source maps */
export function createFailures({
  build,
  services,
}: {
  build: Pick<Build, 'mapsFolder' | 'chunks' | 'serverFiles' | 'version'>
  services?: Pick<ServiceMaps, 'map' | 'covers' | 'version' | 'limitedTo'>
}): Failures {
  // The application's folder contains the build folder, which contains the folder of the maps.
  const root = dirname(dirname(build.mapsFolder))
  const maps = createBuildMaps(build)

  const fingerprintOf: Fingerprint = (exception, fallback = { body: '', route: null }) =>
    fingerprint(exception, fallback, root)

  async function describeMapped(exception: Exception): Promise<DescribedFailure> {
    const stack = exception.stack === null ? null : await mapStack(exception.stack)
    const mapped = { ...exception, stack }
    return { digest: fingerprintOf(mapped), exception: mapped }
  }

  /** Maps the frames of a stack and formats them like V8. Leaves other lines unchanged. */
  async function mapStack(stack: string): Promise<string> {
    const lines = parseStack(stack).map(async ({ text, frame }) =>
      frame === null ? text : formatFrame((await mapOwn(frame)) ?? frame),
    )
    return (await Promise.all(lines)).join('\n')
  }

  async function mapOwn(frame: StackFrame): Promise<MappedFrame | null> {
    const file = await maps.mapped(frame.file)
    return file && mapFrame(frame, file)
  }

  async function mapAny(
    frame: StackFrame,
    from: EventBuildFields,
    services: Pick<ServiceMaps, 'map'> | undefined,
  ): Promise<MappingResult> {
    const ownFrame = await mapOwn(frame)
    if (ownFrame !== null) return { frame: ownFrame, unmapped: null }
    return (
      (await services?.map(frame, buildInfoOf(from))) ?? {
        frame: { ...frame, content: null },
        unmapped: null,
      }
    )
  }

  async function codeOf(frame: MappedFrame, isThisBuild: boolean) {
    if (frame.line === null) return null
    const content = frame.content ?? (isThisBuild ? await maps.content(frame.file) : null)
    return content === null ? null : codeExcerpt(content, frame.line)
  }

  const framesFrom =
    (services: Pick<ServiceMaps, 'map'> | undefined): Failures['frames'] =>
    async (stack, from = { service: 'unknown', release: null, attributes: {} }) =>
      Promise.all(
        framesWithCauses(stack).map(async ({ frame: written, cause }) => {
          const { frame, unmapped } = await mapAny(written, from, services)
          const { functionName, line, column } = frame
          const mapped = await codeOf(frame, from.release === build.version)
          // The lines of a generated file would not explain the failure.
          const code = mapped ?? (unmapped === null ? reportedCode(from.attributes, written) : null)
          return {
            functionName,
            ...locateFile(frame.file, root),
            line,
            column,
            cause,
            code,
            unmapped: unmapped && explainUnmapped(unmapped),
          }
        }),
      )

  return {
    describe: thrown => describeMapped(exceptionOf(thrown)),
    describeReported: exception => describeMapped(reportedException(exception)),
    fingerprint: fingerprintOf,
    fingerprintEvents: services === undefined ? () => null : createFingerprintEvents(services, fingerprintOf),
    frames: framesFrom(services),
    limitedTo: visible => ({ frames: framesFrom(services?.limitedTo(visible)) }),
  }
}
