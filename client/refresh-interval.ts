/** How often pages refresh themselves, in milliseconds; `null` for never. */
export const refreshIntervals = { off: null, '10s': 10_000, '30s': 30_000, '1m': 60_000 } as const

export type RefreshInterval = keyof typeof refreshIntervals

const key = 'sixpane-refresh'
const defaultInterval = '30s'

/** Returns the interval that was chosen in this browser. */
export function storedInterval(): RefreshInterval {
  try {
    return parse(localStorage.getItem(key))
  } catch {
    // The browser blocks storage.
    return defaultInterval
  }
}

/** Stores and returns the interval. Replaces an invalid value with the default. */
export function storeInterval(text: string): RefreshInterval {
  const interval = parse(text)
  try {
    localStorage.setItem(key, interval)
  } catch {
    // The choice applies to this page only.
  }
  return interval
}

function parse(text: string | null): RefreshInterval {
  return text !== null && isInterval(text) ? text : defaultInterval
}

function isInterval(text: string): text is RefreshInterval {
  return Object.hasOwn(refreshIntervals, text)
}
