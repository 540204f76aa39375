import { join } from 'node:path'
import t from 'tap'
import { UsageError } from './options.ts'
import { readPassword } from './read-password.ts'

t.test('a password file that cannot be read is an error only if there is no token', async t => {
  const folder = t.testdir({ password: 'correct horse\n' })
  const SIXPANE_PASSWORD_FILE = join(folder, 'missing')
  t.throws(() => readPassword({ SIXPANE_PASSWORD_FILE }), UsageError)
  t.throws(() => readPassword({ SIXPANE_PASSWORD_FILE, SIXPANE_TOKEN: '' }), UsageError)
  t.equal(readPassword({ SIXPANE_PASSWORD_FILE, SIXPANE_TOKEN: 'token' }), undefined)
  const readable = { SIXPANE_PASSWORD_FILE: join(folder, 'password'), SIXPANE_TOKEN: 'token' }
  t.equal(readPassword(readable), 'correct horse')
})
