/** The number of characters that fit into the column of facets. */
const maxLength = 13
const endLength = 6

/** Cuts a long text in the middle, because values of a field often differ only at the end: `catalo…rimary`. */
export function cutMiddle(text: string): string {
  const characters = Array.from(text)
  if (characters.length <= maxLength) return text
  const start = characters.slice(0, maxLength - endLength - 1)
  return `${start.join('')}…${characters.slice(-endLength).join('')}`
}
