import fc from 'fast-check'
import t from 'tap'
import { escapeHtml } from './escape.ts'
import { html } from './html.ts'

t.test('the template escapes all values except `Html`', async t => {
  const name = '<b>"Tom" & \'Jerry\'</b>'
  t.equal(
    html`<p title="${name}">${html`<i>${1}</i>`}${['a', '&']}${null}</p>`.text,
    '<p title="&lt;b&gt;&quot;Tom&quot; &amp; &#39;Jerry&#39;&lt;/b&gt;"><i>1</i>a&amp;</p>',
  )
})

t.test('escaped text contains no markup, and unescapes to the original', async () => {
  const characters: Record<string, string> = {
    '&amp;': '&',
    '&lt;': '<',
    '&gt;': '>',
    '&quot;': '"',
    '&#39;': "'",
  }
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      const escaped = escapeHtml(text)
      const back = escaped.replace(/&[^;]+;/g, entity => characters[entity] ?? '')
      return back === text && !/[<>"']/.test(escaped)
    }),
  )
})

t.test('C0 control characters and lone surrogates become U+FFFD', async t => {
  t.equal(escapeHtml('a\u0000b\u001b\ud800c'), 'a\ufffdb\ufffd\ufffdc')
})
