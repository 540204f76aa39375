import { readFile } from 'node:fs/promises'
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping'

/** The fields of a V8 CPU profile that the benchmark reads. Times are in microseconds. */
export type CpuProfile = {
  startTime: number
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number }
    children?: number[]
  }[]
  samples: number[]
  timeDeltas: number[]
}

/**
 * A stack of source files, innermost first, such as `server/http-app.ts`, `npm:fastify/fastify.js` or `node:zlib`.
 */
export type Stack = { sources: string[]; durationUs: number }

const idleFunctions = new Set(['(idle)', '(program)', '(root)'])

/** Returns the stacks that were sampled between two times, excluding idle time. */
export function sampledStacks(
  profile: CpuProfile,
  fromUs: number,
  toUs: number,
  sourceOf: (frame: CpuProfile['nodes'][number]['callFrame']) => string,
): Stack[] {
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id])),
  )
  const sources = new Map(profile.nodes.map(({ id, callFrame }) => [id, sourceOf(callFrame)]))
  const durations = new Map<number, number>()
  let timeUs = profile.startTime
  for (const [index, sample] of profile.samples.entries()) {
    const durationUs = profile.timeDeltas[index] ?? 0
    timeUs += durationUs
    if (timeUs < fromUs || timeUs > toUs || idleFunctions.has(sources.get(sample) ?? '')) continue
    durations.set(sample, (durations.get(sample) ?? 0) + durationUs)
  }
  return [...durations].map(([sample, durationUs]) => {
    const stack: string[] = []
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      stack.push(sources.get(id) ?? '')
    }
    return { sources: stack, durationUs }
  })
}

/** Returns a function that finds the source file of a function in the server's bundles. */
export async function createSourceFinder(
  folder: string,
): Promise<(frame: CpuProfile['nodes'][number]['callFrame']) => string> {
  const maps = new Map<string, TraceMap>()
  for (const name of ['main.js', 'pack-thread.js']) {
    maps.set(name, new TraceMap(await readFile(`${folder}/${name}.map`, 'utf8')))
  }
  return ({ functionName, url, lineNumber, columnNumber }) => {
    const map = maps.get(url.slice(url.lastIndexOf('/') + 1))
    const source =
      map === undefined
        ? url
        : originalPositionFor(map, { line: lineNumber + 1, column: columnNumber }).source
    return (source || functionName).replace(/^.*node_modules\//, 'npm:').replace(/^(\.\.\/)+/, '')
  }
}
