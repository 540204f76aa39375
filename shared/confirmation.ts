import { joinUrl, splitUrl } from './split-url.ts'

/** Confirms a change. `undoId` identifies the change if it can be undone. */
export type Confirmation = { text: string; undoId: string | null }

/** The query parameters that only confirm a submitted form. They do not change the view. */
const confirmationParams = ['done', 'changed', 'webhook', 'undo']

/** Removes the confirmation from a URL, because a reload or a shared link would offer to undo the change again. */
export function withoutConfirmation(url: string): string {
  const { path, params } = splitUrl(url)
  if (!confirmationParams.some(name => params.has(name))) return url
  for (const name of confirmationParams) params.delete(name)
  return joinUrl(path, params)
}
