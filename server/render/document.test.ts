import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { escapeHtml } from '../html/escape.ts'
import { scriptSafeJson } from './document.ts'

t.test('JSON in a script element round-trips, and contains nothing that could close the element', async t => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.string({ unit: anyCharacter }), (json, text) => {
      const value: unknown = [JSON.parse(json), text, `</script>${text}<!--`]
      const written = scriptSafeJson(value)
      return !written.includes('<') && JSON.stringify(JSON.parse(written)) === JSON.stringify(value)
    }),
  )
  t.equal(scriptSafeJson('</script>'), '"\\u003c/script>"')
})

t.test('escaped text contains no markup characters', async t => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), text => !/[<>"']/.test(escapeHtml(text))))
  t.equal(escapeHtml(`a<b>&"'`), 'a&lt;b&gt;&amp;&quot;&#39;')
})
