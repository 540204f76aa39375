/** A log search that was saved under a name. */
export type SavedSearch = {
  id: string
  name: string
  /** The query string of the log. */
  view: string
  createdMs: number
}
