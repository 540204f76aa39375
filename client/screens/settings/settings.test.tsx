import t from 'tap'
import { defaultPreferences } from '../../../shared/preferences.ts'
import type { SettingField, SettingsContent, WebhookRow } from '../../../shared/screens/settings.ts'
import { render, textOf } from '../../components/testing.tsx'
import Settings from './index.tsx'

const { columns: _, ...inForm } = defaultPreferences

function asIs(value: string): SettingField {
  return { value, problem: null, environment: value, isChanged: false }
}

const content: SettingsContent = {
  values: inForm,
  problems: {},
  done: null,
  made: null,
  level: { ...asIs('info'), levels: ['debug', 'info', 'silent'] },
  retention: {
    days: asIs('30'),
    gigabytes: asIs('10'),
    kept: { events: 1200, diskBytes: 5e6, oldestMs: 0, damagedFiles: [] },
    confirm: null,
  },
  redaction: { ...asIs(''), sample: '', sampleProblem: null, tried: null },
  tested: null,
  webhooks: [],
  webhookForm: {
    values: { name: '', url: '', new: 'on', returned: 'on', ratio: '', minutes: '5' },
    problems: {},
  },
  tokens: [],
  tokenForm: { name: '', problem: null },
  isPasswordAsked: true,
  timeZones: ['UTC', 'Europe/Vienna'],
  server: [{ name: 'PORT', value: '3000', meaning: 'Port to listen on', part: null, environment: null }],
  redacted: ['password'],
}

t.test('the form has every preference and works without a script', async t => {
  const html = render(<Settings content={content} />)
  t.match(html, /<form[^>]* action="\/settings#preferences" method="post">/)
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

const webhook: WebhookRow = {
  id: 'w1',
  name: 'On call',
  origin: 'https://chat.example',
  conditions: { newFailure: true, returnedFailure: false, errorRatio: { above: 0.05, overMinutes: 10 } },
  form: {
    values: { name: 'On call', url: '', new: 'on', returned: '', ratio: '5', minutes: '10' },
    problems: {},
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
}

t.test('a webhook tells whom it tells of what, and how its messages went', async t => {
  const html = render(<Settings content={{ ...content, webhooks: [webhook] }} />)
  const text = textOf(html)
  t.match(text, /On call.*https:\/\/chat\.example.*new failures, more than 5 % errors over 10 min/)
  t.match(text, /Last message: Test, .* failed/)
  t.match(html, 'aria-label="Send a test to On call"')
  t.notMatch(text, 'The test message did not arrive')
})

t.test('how a test went stands in sight', async t => {
  const outcome = (differing: Partial<WebhookRow['deliveries'][number]>) => {
    const deliveries = webhook.deliveries.map(each => ({ ...each, ...differing }))
    return textOf(
      render(<Settings content={{ ...content, webhooks: [{ ...webhook, deliveries }], tested: 'w1' }} />),
    )
  }
  t.match(outcome({}), 'The test message did not arrive. Answered with 404: no_service')
  t.match(outcome({ state: 'delivered', status: 204, problem: null }), 'arrived: answered with 204')
  t.match(outcome({ state: 'waiting', status: null, problem: null }), 'No answer to the test message yet')
})

t.test('who decides a setting is said, and the way back is there only where it was changed', async t => {
  const unchanged = render(<Settings content={content} />)
  t.match(textOf(unchanged), 'As the environment sets it.')
  t.notMatch(unchanged, 'Back to the environment')
  const changed = {
    ...content,
    level: { ...content.level, value: 'debug', isChanged: true },
    server: [{ name: 'LOG_LEVEL', value: 'debug', meaning: 'Level', part: 'log-level', environment: 'info' }],
  } satisfies SettingsContent
  const html = render(<Settings content={changed} />)
  t.match(textOf(html), 'Changed here. The environment says info .')
  t.match(html, /<button[^>]* value="environment"/)
  t.match(
    html,
    /<a [^>]*aria-label="Change LOG_LEVEL"[^>]*href="#log-level"|<a [^>]*href="#log-level"[^>]*aria-label="Change LOG_LEVEL"/,
  )
})

t.test('a change that drops events is asked about, with what it would do', async t => {
  const confirm = { dropped: 1_234_567, days: '7', gigabytes: '10' }
  const html = render(<Settings content={{ ...content, retention: { ...content.retention, confirm } }} />)
  t.match(textOf(html), 'This drops about 1,234,567 events. Nothing is changed yet.')
  t.match(html, '<input type="hidden" name="confirmed" value="yes"/>')
  t.match(html, '<input type="hidden" name="days" value="7"/>')
})

t.test('damaged files of the store are listed', async t => {
  const damagedFiles = ['damaged/2026-11-22T01-02-03.004Z/events-0000000000000000.duckdb']
  const retention = { ...content.retention, kept: { ...content.retention.kept, damagedFiles } }
  const html = render(<Settings content={{ ...content, retention }} />)
  t.match(textOf(html), '1 damaged file was set aside')
  t.match(html, `<code>${damagedFiles[0]}</code>`)
  t.notMatch(textOf(render(<Settings content={content} />)), 'damaged')
})

t.test('what a tried line would become is shown as text', async t => {
  const redaction = { ...content.redaction, sample: '{"a":"<b>"}', tried: '{ "a": "<b>" }' }
  const html = render(<Settings content={{ ...content, redaction }} />)
  t.match(html, '{ &quot;a&quot;: &quot;&lt;b&gt;&quot; }')
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
