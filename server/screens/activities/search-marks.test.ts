import t from 'tap'
import { parseQuery } from '../../query/parse.ts'
import { highlightedWords } from './search-marks.ts'

const marksOf = (text: string) => {
  const parsed = parseQuery(text)
  return 'query' in parsed ? highlightedWords(parsed.query) : null
}

t.test('highlights text, message and exception terms, but not excluded terms or other fields', async t => {
  t.same(marksOf('timeout service:api -refused "card declined"'), ['card declined', 'timeout'])
  t.same(marksOf('(a1 OR b2) NOT c3'), ['a1', 'b2'])
  t.same(marksOf('message:req*done exception:TypeError status:500'), ['TypeError', 'done', 'req'])
  t.same(marksOf('message:"2 * 3"'), ['2 * 3'])
  t.same(marksOf(''), [])
  t.equal(marksOf(Array.from({ length: 30 }, (_, index) => `w${index}`).join(' '))?.length, 10)
})
