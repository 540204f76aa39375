import t from 'tap'
import { countElements, readPageTree } from './page-tree.ts'

const page = (body: string) =>
  `<!DOCTYPE html><html><head><title>Page</title></head><body><div id="root">${body}</div><script type="application/json" id="page">{}</script></body></html>`

t.test('a page becomes a tree of React elements', async t => {
  const html = page('<p class="a" style="--x: 1; margin-top:2px" hidden="">1 &lt; 2<br/><b>x</b></p>')
  t.same(readPageTree(html), {
    tag: 'div',
    props: { id: 'root' },
    children: [
      {
        tag: 'p',
        props: { className: 'a', style: { '--x': '1', marginTop: '2px' }, hidden: true },
        children: ['1 < 2', { tag: 'br', props: {}, children: [] }, { tag: 'b', props: {}, children: ['x'] }],
      },
    ],
  })
})

t.test('the content of SVG elements remains text, including nested SVG elements', async t => {
  const html = page('<svg width="9"><svg><path d="M0 0"/></svg></svg><i></i>')
  t.match(readPageTree(html), {
    children: [
      {
        tag: 'svg',
        props: { width: '9', dangerouslySetInnerHTML: { __html: '<svg><path d="M0 0"/></svg>' } },
        children: [],
      },
      { tag: 'i' },
    ],
  })
})

t.test('elements without an end tag are rejected', async t => {
  t.throws(() => readPageTree(page('<p><b>x</p>')), /<\/p> in b/)
})

t.test('the number of elements excludes scripts and the elements that load them', async t => {
  t.equal(countElements(page('<p>x</p><link rel="preload"><script>"<b>"</script>')), 2)
})
