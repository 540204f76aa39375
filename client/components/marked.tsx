import { Fragment } from 'react'

/** A text with the words that were searched for marked in it, in any case. */
export function Marked({ text, marks }: { text: string; marks: readonly string[] }) {
  if (marks.length === 0) return text
  const pattern = new RegExp(
    `(${marks.map(mark => mark.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`,
    'giu',
  )
  // Split by a group: every second part is what matched.
  return text.split(pattern).map((part, index) => {
    const key = `${index}`
    return index % 2 === 1 ? <mark key={key}>{part}</mark> : <Fragment key={key}>{part}</Fragment>
  })
}
