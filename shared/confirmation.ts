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

/** The URL of a view, for sharing. Without the confirmation, the recipient cannot undo the latest change. */
export function withoutConfirmation(url: URL): URL {
  const view = new URL(url)
  for (const name of confirmationParams) view.searchParams.delete(name)
  return view
}

function viewOf(url: URL): string {
  const { pathname, searchParams } = withoutConfirmation(url)
  return `${pathname}?${searchParams}`
}
