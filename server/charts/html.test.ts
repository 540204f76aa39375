import fc from 'fast-check'
import t from 'tap'
import { escapeHtml, html } from './html.ts'

t.test('values are escaped, HTML is not', async t => {
  const name = '<b>"Tom" & \'Jerry\'</b>'
  t.equal(
    html`<p title="${name}">${html`<i>${1}</i>`}${['a', '&']}${null}</p>`.text,
    '<p title="&#60;b&#62;&#34;Tom&#34; &#38; &#39;Jerry&#39;&#60;/b&#62;"><i>1</i>a&#38;</p>',
  )
})

t.test('what is escaped reads back as it was', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      const escaped = escapeHtml(text)
      const back = escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      return back === text && !/[<>"']/.test(escaped)
    }),
  )
})

t.test('what HTML cannot hold becomes U+FFFD', async t => {
  t.equal(escapeHtml('a\u0000b\u001b\ud800c'), 'a\ufffdb\ufffd\ufffdc')
})
