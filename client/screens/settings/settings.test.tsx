import t from 'tap'
import type { SettingsContent } from '../../../shared/content.ts'
import { defaultPreferences } from '../../../shared/preferences.ts'
import { render, textOf } from '../../components/testing.tsx'
import Settings from './index.tsx'

const { columns: _, ...inForm } = defaultPreferences

const content: SettingsContent = {
  values: inForm,
  problems: {},
  done: null,
  made: null,
  webhooks: [],
  webhookForm: {
    values: { name: '', url: '', new: 'on', returned: 'on', ratio: '', minutes: '5' },
    problems: {},
  },
  tokens: [],
  tokenForm: { name: '', problem: null },
  isPasswordAsked: true,
  timeZones: ['UTC', 'Europe/Vienna'],
  server: [{ name: 'PORT', value: '3000', meaning: 'Port to listen on' }],
  redacted: ['password'],
}

t.test('the form has every preference and works without a script', async t => {
  const html = render(<Settings content={content} />)
  t.match(html, /<form[^>]* action="\/settings" method="post">/)
  for (const name of Object.keys(content.values)) t.match(html, `name="${name}"`)
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
  t.match(textOf(render(<Settings content={{ ...content, done: 'preferences' }} />)), 'preferences are kept')
  t.notMatch(textOf(render(<Settings content={content} />)), 'preferences are kept')
})

t.test('a webhook tells whom it tells of what, and how its messages went', async t => {
  const html = render(
    <Settings
      content={{
        ...content,
        webhooks: [
          {
            id: 'w1',
            name: 'On call',
            origin: 'https://chat.example',
            conditions: {
              newFailure: true,
              returnedFailure: false,
              errorRatio: { above: 0.05, overMinutes: 10 },
            },
            deliveries: [
              {
                id: 'd1',
                kind: 'test',
                createdMs: 0,
                attempts: 1,
                state: 'failed',
                status: 404,
                problem: 'Answered with 404: no_service',
                nextMs: null,
              },
            ],
          },
        ],
      }}
    />,
  )
  const text = textOf(html)
  t.match(text, /On call.*https:\/\/chat\.example.*new failures, more than 5 % errors over 10 min/)
  t.match(text, 'Answered with 404: no_service')
  t.match(html, 'aria-label="Send a test message to On call"')
})

t.test('what is wrong with a new webhook stands beside its field, in a form that is open', async t => {
  const html = render(
    <Settings
      content={{
        ...content,
        webhookForm: {
          values: { name: 'x', url: 'ftp://here', new: '', returned: '', ratio: '', minutes: '5' },
          problems: { url: 'An address is needed', new: 'Choose at least one' },
        },
      }}
    />,
  )
  t.match(html, /<details class="settings-new" open="">/)
  t.match(/<input[^>]*name="url"[^>]*>/.exec(html)?.[0] ?? '', /aria-invalid="true".*value="ftp:\/\/here"/)
  t.match(textOf(html), 'Nothing was saved. 2 fields below say what to change.')
})

t.test('a secret is shown where it was just made', async t => {
  const html = render(
    <Settings content={{ ...content, made: { kind: 'token', name: 'ci', secret: 'sxp_1' } }} />,
  )
  t.match(textOf(html), /The token “ci” is made.*not shown again.*sxp_1/)
})
