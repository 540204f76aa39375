/** A named search of the log. */
export type SavedSearch = {
  id: string
  name: string
  /** The query string of the log's URL. */
  view: string
  createdMs: number
}
