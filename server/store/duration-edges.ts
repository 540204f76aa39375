/** Five edges per power of ten: round numbers at nearly equal distances on a logarithmic scale. */
const steps = [1, 1.5, 2.5, 4, 6]
export const edgesPerDecade = steps.length

/** The durations that separate the bands of the heat map: see `LatencyCell`. */
export const durationEdgesMs: readonly number[] = [
  ...[-1, 0, 1, 2, 3, 4].flatMap(power => steps.map(step => Number(`${step}e${power}`))),
  100_000,
]
