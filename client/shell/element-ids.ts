/** Ids of elements that shortcuts and commands look up. A separate module avoids an import cycle. */
export const keysDialogId = 'keys'
export const paletteButtonId = 'commands'
