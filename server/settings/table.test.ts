import fc from 'fast-check'
import t from 'tap'
import { anyCharacter } from '../../shared/testing/any-character.ts'
import { ConfigError, readConfig } from './config.ts'
import { formatSettings, problemOf, runtimeKeys, withOverrides } from './runtime-settings.ts'
import { allSettings, runtimeSettings } from './table.ts'

const rows = Object.values(allSettings)

/** Typical setting values, and arbitrary text. */
const settingText = fc.oneof(
  fc.constantFrom('', '0', '1', '7', '0.01', 'none', 'debug', 'a.b,c', 'https://a.test', '10.0.0.0/8', '::1'),
  fc.double().map(String),
  fc.array(fc.string()).map(items => items.join(',')),
  fc.string({ unit: anyCharacter }),
)

t.test('every setting has a unique variable, a description and a valid default', async t => {
  t.equal(new Set(rows.map(({ variable }) => variable)).size, rows.length)
  for (const { variable, meaning } of rows) {
    t.match(variable, /^[A-Z][A-Z_]+$/)
    t.match(meaning, /^[A-Z`].*[^.]$/, variable)
  }
  t.doesNotThrow(() => readConfig({}))
})

t.test('property: any setting text is accepted, or rejected without quoting it', async () => {
  const problems = new Map<string, Set<string>>()
  fc.assert(
    fc.property(fc.constantFrom(...rows), settingText, ({ variable }, text) => {
      try {
        readConfig({ SIXPANE_AUTH: 'none', [variable]: text })
        return true
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
        const [problem = '', ...rest] = error.problems
        // Each variable has at most two messages (invalid text, missing setting), so none of them can quote the text.
        const known = problems.get(variable) ?? new Set<string>()
        problems.set(variable, known.add(problem))
        return (
          rest.length === 0 && known.size <= 2 && problem.startsWith(variable) && problem.includes(' must ')
        )
      }
    }),
  )
})

t.test(
  'property: a runtime setting accepts the same text as its variable, and formatting round-trips',
  async () => {
    const environment = readConfig({})
    fc.assert(
      fc.property(fc.constantFrom(...runtimeKeys), settingText, (key, text) => {
        const { variable } = runtimeSettings[key]
        if (problemOf(key, text) !== null) return isRejected(() => readConfig({ [variable]: text }))
        const settings = withOverrides(environment, { [key]: text })
        t.same(settings, withOverrides(readConfig({ [variable]: text }), {}))
        t.same(withOverrides(environment, formatSettings(settings)), settings)
        return true
      }),
    )
  },
)

function isRejected(read: () => unknown): boolean {
  try {
    read()
    return false
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return true
  }
}
