import t from 'tap'
import { replaceSection } from './markdown.ts'

const [start, end] = ['<!-- table: start -->', '<!-- table: end -->']

t.test('the text between the markers is replaced', async t => {
  const text = `# Title\n\n${start}\n\nold\n\n${end}\n\nEnd\n`
  t.equal(replaceSection(text, 'table', 'new'), `# Title\n\n${start}\n\nnew\n\n${end}\n\nEnd\n`)
})

t.test('a document without a start marker is rejected', async t => {
  t.throws(() => replaceSection(`# Title\n${end}\n`, 'table', 'new'), /does not contain both markers/)
})
