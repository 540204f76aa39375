import type { Stack } from './cpu-profile.ts'

/** A step of the work, and the source files that belong to it. */
export type Step = readonly [name: string, sources: RegExp]

const collector: Step = ['garbage collector', /^\(garbage collector\)$/]
const engine: Step = ['engine calls (DuckDB)', /^npm:@duckdb\//]
const store: Step = ['store: summaries, SQL, results', /^server\/store\//]
const log: Step = [
  'request log',
  /^npm:(pino|thread-stream|safe-stable-stringify)|^server\/(log-output|logger|middleware\/request-log|events\/self-log)/,
]
const http: Step = [
  'HTTP: Fastify, headers, checks, sockets',
  /^npm:(fastify|@fastify|avvio|find-my-way|cookie|helmet)|^server\/(http|middleware|auth|http-app|routes)|^node:(_?http|net|internal\/stream|internal\/http|events)/,
]

/** The steps of a page. Node's work belongs to the step that called Node. */
export const pageSteps: readonly Step[] = [
  collector,
  engine,
  store,
  ['compression', /^server\/render\/encode/],
  ['hydration data and document', /^server\/render\/(document|buffered|send)|packed-json/],
  ['React and components', /^npm:(react|react-dom|react-router|react-router-dom|scheduler)\/|^client\//],
  ['content: metrics, links, charts', /^server\/(screens|charts|html|query|failures|self-metrics)|^shared\//],
  ['request, cache and admission', /^server\/render\//],
  log,
  http,
]

/** The steps of storing an event. */
export const eventSteps: readonly Step[] = [
  collector,
  engine,
  store,
  ['reading and splitting the body', /^server\/(http|ingest\/(ndjson|json-cursor|read-lines))/],
  ['JSON.parse', /parse-json/],
  ['fingerprints of exceptions', /^server\/(stacks|grouping)|fingerprint/],
  [
    'normalising: names, limits, secrets, times',
    /^server\/events\/(normalise|clean|redact|take|read)|^shared\//,
  ],
  [
    'collecting, queueing, listeners',
    /^server\/(ingest|events|failures|self-metrics|notifications|render|routes)\//,
  ],
  log,
  http,
]

const rest = 'other'

/**
 * Sums up the durations by step. A stack belongs to the step of its innermost known location, so library code without a step
 * counts towards the step that called it.
 */
export function durationsByStep(stacks: readonly Stack[], steps: readonly Step[]): Map<string, number> {
  const durations = new Map<string, number>()
  for (const { sources, durationUs } of stacks) {
    const name = stepOf(sources, steps)
    durations.set(name, (durations.get(name) ?? 0) + durationUs)
  }
  return durations
}

function stepOf(sources: readonly string[], steps: readonly Step[]): string {
  for (const source of sources) {
    const step = steps.find(([, pattern]) => pattern.test(source))
    if (step !== undefined) return step[0]
  }
  return rest
}
