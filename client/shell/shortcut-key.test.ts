import t from 'tap'
import { shortcutKey } from './shortcut-key.ts'

t.test(
  'without Latin letters on the keyboard, returns the letter at the same position on a US keyboard',
  async t => {
    t.equal(shortcutKey({ key: 'k', code: 'KeyK' }), 'k')
    t.equal(shortcutKey({ key: 'л', code: 'KeyK' }), 'k', 'Russian')
    t.equal(shortcutKey({ key: 'κ', code: 'KeyK' }), 'k', 'Greek')
  },
)

t.test('other keys are unchanged', async t => {
  t.equal(shortcutKey({ key: 'q', code: 'KeyA' }), 'q', 'a French keyboard')
  t.equal(shortcutKey({ key: 'K', code: 'KeyK' }), 'K')
  t.equal(shortcutKey({ key: 'Escape', code: 'Escape' }), 'Escape')
  t.equal(shortcutKey({ key: '?', code: 'Slash' }), '?')
})
