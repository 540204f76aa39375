/** A named view of the log. */
export type SavedSearch = {
  id: string
  name: string
  /** The query string of the view. */
  view: string
  createdMs: number
}
