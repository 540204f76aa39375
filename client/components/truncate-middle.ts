/** Truncates long text in the middle, because routes and values often differ only at the end: `catalo…rimary`. */
export function truncateMiddle(text: string, maxLength: number): string {
  const characters = Array.from(text)
  if (characters.length <= maxLength) return text
  const endLength = Math.floor(maxLength / 2)
  const start = characters.slice(0, maxLength - endLength - 1)
  return `${start.join('')}…${characters.slice(-endLength).join('')}`
}
