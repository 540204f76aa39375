/** Ids of elements that shortcuts and commands look up. This separate module avoids an import cycle. */
export const keysDialogId = 'keys'
export const paletteButtonId = 'commands'
