/** Options that may replace a part of a search. */
export type Completion = {
  /** The range that an option replaces, as offsets into the text. */
  from: number
  to: number
  options: {
    text: string
    label: string
    /** Its meaning, or how frequent it is. */
    hint: string
  }[]
}
