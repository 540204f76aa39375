import t from 'tap'
import { withoutConfirmation } from './confirmation.ts'

t.test('removes a confirmation from a URL and keeps the view', async t => {
  t.equal(withoutConfirmation('/settings?done=log-level-changed&undo=1'), '/settings')
  t.equal(withoutConfirmation('/activities?q=a&done=saved&range=1h'), '/activities?q=a&range=1h')
  t.equal(withoutConfirmation('/activities?q=a%20b'), '/activities?q=a%20b', 'other URLs do not change')
  t.equal(withoutConfirmation('/settings'), '/settings')
})
