import fc from 'fast-check'
import t from 'tap'
import { defaultColumns } from './columns.ts'
import {
  defaultPreferences,
  parsePreferences,
  preferenceChoices,
  serializePreferences,
} from './preferences.ts'
import { spans } from './range.ts'
import { anyCharacter } from './testing/any-character.ts'

t.test('the defaults replace missing and invalid preferences', async () => {
  t.same(parsePreferences(undefined), defaultPreferences)
  t.same(parsePreferences('theme=pink&timeZone=Nowhere/Land&range=1y&clock='), defaultPreferences)
})

t.test("the browser's time zone applies unless the visitor has chosen one", async () => {
  t.match(parsePreferences('', 'Asia/Tokyo'), { timeZone: 'Asia/Tokyo', isBrowserZone: true })
  t.match(parsePreferences('', 'Nowhere/Land'), { timeZone: 'UTC', isBrowserZone: true })
  t.match(parsePreferences('timeZone=UTC', 'Asia/Tokyo'), { timeZone: 'UTC', isBrowserZone: false })
  const automatic = parsePreferences('theme=dark', 'Asia/Tokyo')
  t.same(parsePreferences(serializePreferences(automatic), 'Asia/Tokyo'), automatic)
  t.match(parsePreferences(serializePreferences(automatic), 'UTC'), { timeZone: 'UTC' })
})

t.test('serialised preferences parse to the same preferences', async () => {
  fc.assert(
    fc.property(
      fc.record({
        theme: fc.constantFrom(...preferenceChoices.theme),
        density: fc.constantFrom(...preferenceChoices.density),
        clock: fc.constantFrom(...preferenceChoices.clock),
        motion: fc.constantFrom(...preferenceChoices.motion),
        range: fc.constantFrom(...spans),
        columns: fc.constantFrom(defaultColumns, 'service:160,message,@user.plan'),
        timeZone: fc.constantFrom('UTC', 'Europe/Vienna', 'America/Argentina/Buenos_Aires'),
        isBrowserZone: fc.constant(false),
      }),
      preferences => {
        t.same(parsePreferences(serializePreferences(preferences)), preferences)
      },
    ),
    { numRuns: 30 },
  )
})

t.test('parsing never throws', async () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), text => {
      parsePreferences(text)
    }),
  )
})
