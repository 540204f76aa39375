import { searchWords, wordsOutside } from '../../../shared/query-words.ts'

/** A condition that every matching event meets, and the text between it and the previous condition. */
type Condition = { gap: string; text: string }

/** Splits a search at the last OR outside parentheses, like the parser. Returns `null` if there is none. */
export function sidesOf(q: string): [left: string, right: string] | null {
  const or = wordsOutside(searchWords(q)).findLast(({ kind }) => kind === 'or')
  return or === undefined ? null : [q.slice(0, or.from).trim(), q.slice(or.to).trim()]
}

/** Splits a search without an OR outside parentheses at its ANDs. */
export function conditionsOf(q: string): Condition[] {
  const conditions: Condition[] = []
  let depth = 0
  let start: number | null = null
  let end = 0
  for (const { kind, from, to } of searchWords(q)) {
    if (depth === 0 && kind === 'and') continue
    start ??= from
    if (kind === 'open') depth += 1
    if (kind === 'close') depth -= 1
    if (depth > 0 || kind === 'not') continue
    conditions.push({ gap: q.slice(end, start), text: q.slice(start, to) })
    end = to
    start = null
  }
  return conditions
}
