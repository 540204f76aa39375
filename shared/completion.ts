/** Suggested completions for a part of a search. */
export type Completion = {
  /** The part of the text that a suggestion replaces, as offsets. */
  from: number
  to: number
  options: {
    text: string
    label: string
    /** The meaning of a field, or the count of a value. */
    hint: string
  }[]
}
