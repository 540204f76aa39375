import { join } from 'node:path'
import t from 'tap'
import { ConfigError, readConfig } from './config.ts'

const problemsOf = (environment: Record<string, string>) => {
  try {
    readConfig(environment)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

t.test('reads a password from a file, without the line break at its end', async t => {
  const folder = t.testdir({
    unix: ' correct horse \n',
    windows: 'correct horse\r\n',
    plain: 'correct horse',
  })
  const passwordIn = (name: string) => readConfig({ SIXPANE_PASSWORD_FILE: join(folder, name) }).password
  t.equal(passwordIn('unix'), ' correct horse ')
  t.equal(passwordIn('windows'), 'correct horse')
  t.equal(passwordIn('plain'), 'correct horse')
  t.equal(readConfig({ SIXPANE_PASSWORD_FILE: '' }).password, null)
})

t.test('reports problems without quoting the secret', async t => {
  const folder = t.testdir({ short: 'secret', empty: '\n', large: 'secret'.repeat(20_000) })
  const problem = (name: string, others: Record<string, string> = {}) =>
    problemsOf({ SIXPANE_PASSWORD_FILE: join(folder, name), ...others })
  t.same(problem('missing'), ['SIXPANE_PASSWORD_FILE must name a file that can be read (ENOENT)'])
  t.same(problem('.'), ['SIXPANE_PASSWORD_FILE must name a file that can be read (EISDIR)'])
  t.same(problem('empty'), ['SIXPANE_PASSWORD_FILE must name a file that is not empty'])
  t.same(problem('large'), [
    'SIXPANE_PASSWORD_FILE must name a file that contains only the secret: this file is too large',
  ])
  t.same(problem('short'), ['SIXPANE_PASSWORD must have at least 8 characters'])
  t.same(problem('short', { SIXPANE_PASSWORD: 'correct horse' }), [
    'SIXPANE_PASSWORD_FILE must not be set together with SIXPANE_PASSWORD',
  ])
  t.same(
    problem('missing', { HOST: '0.0.0.0' }),
    ['SIXPANE_PASSWORD_FILE must name a file that can be read (ENOENT)'],
    'does not ask for a password that a file should contain',
  )
})
