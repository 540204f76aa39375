import fc from 'fast-check'
import t from 'tap'
import {
  defaultPreferences,
  type Preferences,
  parsePreferences,
  serializePreferences,
} from '../../shared/preferences.ts'
import { readConfig, variables } from '../config.ts'
import { saveSettings, settings } from './settings.ts'
import { fakeContext, fakeRequest } from './testing.ts'

const chosen: Preferences = {
  theme: 'dark',
  density: 'compact',
  timeZone: 'Europe/Vienna',
  clock: '12h',
  range: '6h',
  motion: 'reduced',
}

const save = (form: Record<string, string>) =>
  saveSettings(new URLSearchParams(form), fakeRequest(), fakeContext())

t.test('the form shows what is kept', async t => {
  const request = fakeRequest('saved=preferences', { preferences: chosen })
  t.match(await settings(request, fakeContext()), {
    kind: 'content',
    content: { values: chosen, problems: {}, saved: true },
  })
})

t.test('what was chosen is kept, and the page says so', async t => {
  t.same(await save(chosen), {
    kind: 'redirect',
    location: '/settings?saved=preferences',
    preferences: chosen,
  })
})

t.test('a time zone is spelled as it is listed', async t => {
  t.match(await save({ ...chosen, timeZone: ' europe/vienna ' }), { preferences: chosen })
  t.match(await save({ ...chosen, timeZone: 'utc' }), { preferences: { timeZone: 'UTC' } })
})

t.test('what is wrong is said beside its field, and what was typed stays', async t => {
  t.match(await save({ ...chosen, timeZone: 'Mars/Base', theme: 'pink' }), {
    kind: 'content',
    status: 422,
    content: {
      values: { ...chosen, timeZone: 'Mars/Base', theme: 'pink' },
      problems: { timeZone: /not the name of a time zone/, theme: 'Choose one of these' },
      saved: false,
    },
  })
  t.match(await save({ ...chosen, timeZone: '+01:00' }), { status: 422 })
  const empty = await save({})
  t.equal(empty.kind === 'content' && Object.keys(empty.content.problems).length, 6)
})

t.test('whatever a form holds, it never throws and keeps nothing that is not a preference', async () => {
  const value = (name: keyof Preferences) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(chosen[name], defaultPreferences[name]) },
      fc.string({ unit: 'binary' }),
    )
  const form = fc.record(
    {
      theme: value('theme'),
      density: value('density'),
      timeZone: value('timeZone'),
      clock: value('clock'),
      range: value('range'),
      motion: value('motion'),
      other: fc.string(),
    },
    { requiredKeys: ['theme', 'density', 'timeZone', 'clock', 'range'] },
  )
  await fc.assert(
    fc.asyncProperty(form, async fields => {
      const answer = await save(fields)
      if (answer.kind === 'content') return answer.status === 422
      if (answer.preferences === undefined) return false
      const cookie = serializePreferences(answer.preferences)
      return serializePreferences(parsePreferences(cookie)) === cookie
    }),
  )
})

t.test('every variable of the service is shown, and no secret', async t => {
  const config = readConfig({ SIXPANE_PASSWORD: 'correct horse', SIXPANE_DATA: '/srv/sixpane-data' })
  const answer = await settings(fakeRequest(), fakeContext({ config }))
  if (answer.kind !== 'content') throw new Error('The settings redirected')
  const { server, redacted } = answer.content
  t.same(server.map(({ name }) => name).sort(), Object.keys(variables).sort())
  t.match(server, [{ name: 'HOST', value: '127.0.0.1' }])
  t.equal(server.find(({ name }) => name === 'SIXPANE_PASSWORD')?.value, 'set')
  t.equal(server.find(({ name }) => name === 'SIXPANE_DATA')?.value, 'sixpane-data')
  t.notMatch(JSON.stringify(answer), /correct horse|srv/)
  t.ok(redacted.includes('password'))
})
