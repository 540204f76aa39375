/** Ids of elements that key bindings and commands look up. A module of its own avoids an import cycle. */
export const keysDialogId = 'keys'
export const paletteButtonId = 'commands'
