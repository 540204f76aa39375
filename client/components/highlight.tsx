import { Fragment } from 'react'

/** Highlights the search terms in text, ignoring case. */
export function Highlight({ text, marks }: { text: string; marks: readonly string[] }) {
  if (marks.length === 0) return text
  const pattern = new RegExp(
    `(${marks.map(mark => mark.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`,
    'giu',
  )
  // Splitting on a capture group puts the matches at odd indexes.
  return text.split(pattern).map((part, index) => {
    const key = `${index}`
    return index % 2 === 1 ? <mark key={key}>{part}</mark> : <Fragment key={key}>{part}</Fragment>
  })
}
