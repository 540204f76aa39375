/** Suggestions that complete a part of a search. */
export type Completion = {
  /** The part that an option replaces, as offsets into the text. */
  from: number
  to: number
  options: {
    text: string
    label: string
    /** The meaning of a field, or the count of a value. */
    hint: string
  }[]
}
