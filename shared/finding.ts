/** Something that the command palette leads to. */
export type Found = {
  kind: (typeof foundKinds)[number]
  label: string
  /** What tells it from others of its name. */
  hint: string
  /** What else it is found by. */
  also: string
  href: string
}

export const foundKinds = ['saved', 'service', 'failure'] as const
