import t from 'tap'
import type { SettingsContent } from '../../../shared/content.ts'
import { defaultPreferences } from '../../../shared/preferences.ts'
import { render, textOf } from '../../components/testing.tsx'
import Settings from './index.tsx'

const content: SettingsContent = {
  values: { ...defaultPreferences },
  problems: {},
  saved: false,
  timeZones: ['UTC', 'Europe/Vienna'],
  server: [{ name: 'PORT', value: '3000', meaning: 'Port to listen on' }],
  redacted: ['password'],
}

t.test('the form has every preference and works without a script', async t => {
  const html = render(<Settings content={content} />)
  t.match(html, /<form[^>]* action="\/settings" method="post">/)
  for (const name of Object.keys(defaultPreferences)) t.match(html, `name="${name}"`)
  t.match(html, '<option value="Europe/Vienna"')
  // The browser's zone is the browser's to offer.
  t.notMatch(html, '>Use ')
})

t.test('what is wrong stands beside its field, tied to it, with what was typed', async t => {
  const html = render(
    <Settings
      content={{
        ...content,
        values: { ...content.values, timeZone: 'Mars/"Base"' },
        problems: { timeZone: 'This is not the name of a time zone.' },
      }}
    />,
  )
  const input = /<input[^>]*name="timeZone"[^>]*>/.exec(html)?.[0] ?? ''
  t.match(input, 'value="Mars/&quot;Base&quot;"')
  t.match(input, 'aria-invalid="true"')
  const [problemId] = /aria-describedby="([^" ]+)/.exec(input)?.slice(1) ?? []
  t.match(html, `id="${problemId}"`)
  t.match(textOf(html), 'Nothing was saved. One field below says what to change.')
})

t.test('what was saved is said', async t => {
  t.match(textOf(render(<Settings content={{ ...content, saved: true }} />)), 'preferences are kept')
  t.notMatch(textOf(render(<Settings content={content} />)), 'preferences are kept')
})
