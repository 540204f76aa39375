/** A view of the log that somebody gave a name. */
export type SavedSearch = {
  id: string
  name: string
  /** Its query string. */
  view: string
  createdMs: number
}
