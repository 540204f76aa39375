import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { plainText } from './plain-text.ts'

t.test('removes terminal colours and links', async t => {
  t.equal(plainText('\u001b[31merror\u001b[39m done\u001b[0K'), 'error done')
  t.equal(plainText('\u001b]8;;https://a.example\u0007link\u001b]8;;\u001b\\'), 'link')
})

t.test('replaces other control characters with control pictures, except line feeds and tabs', async t => {
  t.equal(plainText('a\u0000b\u0007c\u007f'), 'a\u2400b\u2407c\u2421')
  t.equal(plainText('a\r\nb\n\tc\rd'), 'a\nb\n\tc\u240dd')
})

t.test('preserves all scripts and emoji, but replaces lone surrogates', async t => {
  t.equal(plainText('فشل الدفع 👩‍👩‍👧‍👦'), 'فشل الدفع 👩‍👩‍👧‍👦')
  t.equal(plainText('a\ud83d'), 'a\ufffd')
})

t.test('the result is valid HTML text, and the function is idempotent', async () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.string({
          unit: fc.constantFrom('\u001b', '[', ']', '3', 'm', '\u0007', '\\', '\r', '\n', 'a', '\ud800'),
        }),
      ),
      text => {
        const plain = plainText(text)
        const codes = [...plain].map(char => char.codePointAt(0) ?? 0)
        return (
          codes.every(code => (code >= 0x20 && code !== 0x7f) || code === 9 || code === 10) &&
          codes.every(code => code < 0xd800 || code > 0xdfff) &&
          plainText(plain) === plain
        )
      },
    ),
  )
})
