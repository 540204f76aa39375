import type { EventRow } from '../../../shared/event.ts'

/** A live event, and the number of events missing between it and the row below. */
export type LiveRow = { event: EventRow; missedBelow: number }

/** The events received from the live feed. The most recently received ones come first. */
export type LiveRows = {
  /** The URL of the feed. */
  href: string | null
  shown: LiveRow[]
  /** New events, hidden while the visitor reads further down. */
  waiting: LiveRow[]
  /** The number of events missing above the first row. */
  missed: number
}

export type LiveAction =
  | { kind: 'start'; href: string }
  /**
   * `missed`: the number of events missing below `events`. `isHidden`: whether to hide the events, because the visitor is
   * reading and the rows must not move.
   */
  | { kind: 'events'; missed: number; events: readonly EventRow[]; isHidden: boolean }
  | { kind: 'show' }
  /** Fills the gap below an event with the missing events, or with only the newest of them. */
  | { kind: 'fill'; below: number; events: readonly EventRow[] }

/** Above this limit, the oldest rows are removed and counted as missing. */
export const maxLiveRows = 2000

export const noLiveRows: LiveRows = { href: null, shown: [], waiting: [], missed: 0 }

export function liveRows(rows: LiveRows, action: LiveAction): LiveRows {
  switch (action.kind) {
    case 'start':
      // Restarting the same feed preserves the rows. Repeated events are detected by id.
      return rows.href === action.href ? rows : { ...noLiveRows, href: action.href }
    case 'show':
      return { ...rows, waiting: [], shown: limitRows([...rows.waiting, ...rows.shown]) }
    case 'fill':
      return { ...rows, shown: limitRows(rows.shown.flatMap(row => fillGap(row, action, rows.shown))) }
    case 'events': {
      const counted = { ...rows, missed: rows.missed + action.missed }
      const fresh = newRows(counted, action.events)
      if (fresh.length === 0) return counted
      const next = { ...rows, missed: 0 }
      return action.isHidden
        ? { ...next, waiting: limitRows([...fresh, ...rows.waiting]) }
        : { ...next, waiting: [], shown: limitRows([...fresh, ...rows.waiting, ...rows.shown]) }
    }
  }
}

/** Inserts the loaded events into the gap below the row. */
function fillGap(
  row: LiveRow,
  { below, events }: Extract<LiveAction, { kind: 'fill' }>,
  shown: readonly LiveRow[],
): LiveRow[] {
  if (row.event.id !== below) return [row]
  const knownIds = new Set(shown.map(({ event }) => event.id))
  const added = events.filter(({ id }) => !knownIds.has(id) && id < below)
  const rest = added.length === 0 ? 0 : Math.max(row.missedBelow - added.length, 0)
  return [
    { ...row, missedBelow: 0 },
    ...added.map((event, index) => ({ event, missedBelow: index === added.length - 1 ? rest : 0 })),
  ]
}

/** The number of events after the event with this id, including hidden and missing ones. */
export function arrivedCount({ shown, waiting, missed }: LiveRows, afterId: number): number {
  const newer = [...waiting, ...shown].filter(({ event }) => event.id > afterId)
  return sum(newer) + missed
}

/** The number of hidden events, including missing ones. */
export function waitingCount({ waiting, missed }: LiveRows): number {
  return waiting.length === 0 ? 0 : sum(waiting) + missed
}

/**
 * Returns rows for the events that have none yet. Compares the ids of all rows, because an event can arrive after others
 * with greater ids if several servers store events.
 */
function newRows({ shown, waiting, missed }: LiveRows, events: readonly EventRow[]): LiveRow[] {
  const knownIds = new Set([...waiting, ...shown].map(({ event }) => event.id))
  return events
    .filter(({ id }) => !knownIds.has(id))
    .sort((a, b) => b.id - a.id)
    .map((event, index, all) => ({ event, missedBelow: index === all.length - 1 ? missed : 0 }))
}

function limitRows(rows: LiveRow[]): LiveRow[] {
  const remaining = rows.slice(0, maxLiveRows)
  const last = remaining.at(-1)
  if (remaining.length === rows.length || last === undefined) return rows
  const missedBelow = last.missedBelow + sum(rows.slice(maxLiveRows))
  return [...remaining.slice(0, -1), { ...last, missedBelow }]
}

function sum(rows: LiveRow[]): number {
  return rows.reduce((total, { missedBelow }) => total + 1 + missedBelow, 0)
}
