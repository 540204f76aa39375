import t from 'tap'
import { fakeRequest } from '../../testing/fake-context.ts'
import { changeZone } from './zone-form.ts'

const submit = (fields: Record<string, string>) =>
  changeZone(new URLSearchParams(fields), fakeRequest('', { origin: 'http://console.example' }))

t.test("switches to UTC and back to the browser's time zone, and returns to the same page", async t => {
  const back = '/activities?q=a&range=1h'
  t.match(submit({ zone: 'UTC', back }), {
    location: back,
    preferences: { timeZone: 'UTC', isBrowserZone: false },
  })
  t.match(submit({ zone: 'browser', back }), { location: back, preferences: { isBrowserZone: true } })
})

t.test('returns only to screens of the same origin', async t => {
  for (const back of [
    '//evil.example',
    'https://evil.example/activities',
    '/\\evil.example',
    '/nowhere',
    'http://',
  ]) {
    t.equal(submit({ zone: 'UTC', back }).location, '/settings', back)
  }
  t.equal(submit({ zone: 'UTC' }).location, '/')
})
