/** Units of time in milliseconds. Days with a clock change are longer or shorter. */
export const minuteMs = 60_000
export const halfHourMs = 1_800_000
export const hourMs = 3_600_000
export const dayMs = 86_400_000
