import t from 'tap'
import { isSameView } from './confirmation.ts'

const url = (path: string) => new URL(path, 'http://console.example')

t.test('a confirmation does not change the view', async t => {
  t.ok(isSameView(url('/settings'), url('/settings?done=log-level-changed&undo=1#log-level')))
  t.ok(isSameView(url('/activities?q=a&done=saved'), url('/activities?done=deleted&q=a')))
  t.notOk(isSameView(url('/activities?q=a'), url('/activities?q=b&done=saved')))
  t.notOk(isSameView(url('/settings'), url('/activities')))
})
