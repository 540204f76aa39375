import type { Context } from '../context.ts'

/** Counts the changes after which a rendered page may be out of date. */
export type PageChanges = {
  /** The number of changes so far. */
  count(): number
  /** Counts a change that a form submitted to this process may have made. */
  add(): void
  stop(): void
}

/**
 * Counts commits, and changes by other replicas. Does not count Sixpane's own events, because each request logs one, which
 * would invalidate all pages.
 */
export function countPageChanges({
  events,
  store: { replicas },
}: {
  events: Pick<Context['events'], 'onCommit'>
  store: Pick<Context['store'], 'replicas'>
}): PageChanges {
  let changes = 0
  const add = () => {
    changes += 1
  }
  const stopListening = [
    events.onCommit(committed => {
      if (committed.some(({ source }) => source !== 'own')) add()
    }),
    replicas.onEvents(add),
    replicas.onState(add),
  ]
  return {
    count: () => changes,
    add,
    stop() {
      for (const stop of stopListening) stop()
    },
  }
}
