/** An entry of the command palette from the server. */
export type Found = {
  kind: (typeof foundKinds)[number]
  label: string
  /** Distinguishes it from others with the same label. */
  hint: string
  /** Further text that it is found by. */
  also: string
  href: string
}

export const foundKinds = ['saved', 'service', 'failure'] as const
