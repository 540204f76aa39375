/** A command palette entry from the server. */
export type PaletteEntry = {
  kind: (typeof paletteEntryKinds)[number]
  label: string
  /** Distinguishes entries with the same label. */
  hint: string
  /** Additional search text. */
  searchText: string
  href: string
}

export const paletteEntryKinds = ['saved', 'service', 'failure'] as const
