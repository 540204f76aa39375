/** What may stand in place of a part of a search. */
export type Completion = {
  /** The part that an option takes the place of: offsets into the text. */
  from: number
  to: number
  options: {
    text: string
    label: string
    /** What it means, or how often it is. */
    hint: string
  }[]
}
