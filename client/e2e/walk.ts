import type { Page } from '@playwright/test'
import { type Focus, readFocus } from './focus.ts'

export type Stop = Focus & { name: string }

const maxStops = 600
/** Keys are sent in batches, because waiting for each of hundreds of keys takes longer than handling them. */
const batchKeys = 25

/**
 * Presses a key until the focus leaves the page. Returns the elements that had the focus.
 * @throws Error if the focus never leaves the page
 */
export async function walk(page: Page, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<Stop[]> {
  const session = await page.context().newCDPSession(page)
  const press = (type: 'rawKeyDown' | 'keyUp') =>
    session.send('Input.dispatchKeyEvent', {
      type,
      key: 'Tab',
      code: 'Tab',
      windowsVirtualKeyCode: 9,
      modifiers: key === 'Tab' ? 0 : 8,
    })
  // A string, because the page needs both functions, and its Content-Security-Policy forbids creating them from text.
  const recording = await page.evaluateHandle<Recording>(`(${recordStops})(${readFocus})`)
  let last: Stop[] = []
  try {
    for (let sent = 0; sent < maxStops; sent += batchKeys) {
      await Promise.all(Array.from({ length: batchKeys }, () => [press('rawKeyDown'), press('keyUp')]).flat())
      const { stops, hasLeft } = await recording.evaluate(({ stops, hasLeft }) => ({ stops, hasLeft }))
      if (hasLeft) return stops
      last = stops.slice(-5)
    }
    throw new Error(`The focus did not leave the page. Last stops: ${last.map(({ name }) => name)}`)
  } finally {
    await recording.evaluate(({ end }) => end())
    await session.detach()
  }
}

type Recording = { stops: Stop[]; hasLeft: boolean; end(): void }

/** Runs in the page. Records the focus after each key until the focus leaves the page, and ignores later keys. */
function recordStops(read: () => Focus): Recording {
  const record = () => {
    if (recording.hasLeft) return
    const { name, ...rest } = read()
    if (name === null) recording.hasLeft = true
    else recording.stops.push({ name, ...rest })
  }
  const ignore = (event: KeyboardEvent) => {
    if (recording.hasLeft) event.preventDefault()
  }
  const recording: Recording = {
    stops: [],
    hasLeft: false,
    end() {
      removeEventListener('keyup', record, true)
      removeEventListener('keydown', ignore, true)
    },
  }
  addEventListener('keyup', record, true)
  addEventListener('keydown', ignore, true)
  return recording
}

/**
 * Returns the stops that break the reading order: from top to bottom within each part of the content (section, table, list),
 * and from left to right within a line.
 */
export function outOfOrder(stops: readonly Stop[]): string[] {
  return stops.flatMap(({ name, position }, index) => {
    const before = stops[index - 1]
    if (!position || !before?.position || position.part !== before.position.part) return []
    const isBelow = position.bottom > before.position.bottom
    const isBeside = position.top < before.position.bottom && position.left > before.position.left
    return isBelow || isBeside ? [] : [`${name} after ${before.name}`]
  })
}
