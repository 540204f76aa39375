/** Confirms a change. `undoId` identifies the change if it can be undone. */
export type Confirmation = { text: string; undoId: string | null }

/**
 * The query parameters that only confirm a submitted form. They do not change the view, so a separate history entry would
 * only repeat the confirmation.
 */
const confirmationParams = ['done', 'changed', 'webhook', 'undo'] as const

/** Whether two URLs show the same view, apart from confirmations. */
export function isSameView(a: URL, b: URL): boolean {
  return viewOf(a) === viewOf(b)
}

function viewOf({ pathname, searchParams }: URL): string {
  const params = new URLSearchParams(searchParams)
  for (const name of confirmationParams) params.delete(name)
  return `${pathname}?${params}`
}
