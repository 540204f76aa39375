import t from 'tap'
import { htmlFragment } from '../../../shared/html-fragment.ts'
import { defaultPreferences, formPreferences } from '../../../shared/preferences.ts'
import type {
  ServiceSettings,
  SettingField,
  SettingsContent,
  WebhookRow,
} from '../../../shared/screens/settings.ts'
import { render, textOf } from '../../components/testing.tsx'
import Settings from './index.tsx'

const preferences = formPreferences(defaultPreferences)

function unchanged(value: string): SettingField {
  return { value, problem: null, environment: value, isDefault: false, isChanged: false }
}

const service: ServiceSettings = {
  newSecret: null,
  level: { ...unchanged('info'), levels: ['debug', 'info', 'silent'], version: 'v-level' },
  retention: {
    days: unchanged('30'),
    gigabytes: unchanged('10'),
    stored: { events: 1200, diskBytes: 5e6, oldestMs: 0, damagedFiles: [] },
    forecast: null,
    confirm: null,
    version: 'v-retention',
  },
  redaction: { ...unchanged(''), version: 'v-redaction', sample: '', sampleProblem: null, preview: null },
  testedWebhookId: null,
  webhooks: [],
  webhookForm: {
    values: { name: '', url: '', new: 'on', returned: 'on', ratio: '', minutes: '5' },
    problems: {},
  },
  tokens: [],
  tokenForm: { name: '', scopes: ['ingest'], services: '', days: '', problems: {} },
  requiresSignIn: true,
  environment: htmlFragment('environment', ''),
  redactedNames: ['password'],
  audit: [],
}

const content: SettingsContent = {
  preferences: { values: preferences, problems: {} },
  timeZones: ['UTC', 'Europe/Vienna'],
  account: null,
  service,
  saved: null,
}

/** Returns the content with some service settings changed. */
function withService(changed: Partial<ServiceSettings>): SettingsContent {
  return { ...content, service: { ...service, ...changed } }
}

t.test('the preferences form has every preference and works without JavaScript', async t => {
  const html = render(<Settings content={content} />)
  t.match(html, /<form[^>]* action="\/settings#preferences" method="post">/)
  for (const name of Object.keys(content.preferences.values)) t.match(html, `name="${name}"`)
  t.match(html, '<option value="Europe/Vienna"')
})

t.test('an invalid field shows the submitted text and is described by its problem', async t => {
  const html = render(
    <Settings
      content={{
        ...content,
        preferences: {
          values: { ...preferences, timeZone: 'Mars/"Base"' },
          problems: { timeZone: 'Unknown time zone' },
        },
      }}
    />,
  )
  const input = /<input[^>]*name="timeZone"[^>]*>/.exec(html)?.[0] ?? ''
  t.match(input, 'value="Mars/&quot;Base&quot;"')
  t.match(input, 'aria-invalid="true"')
  const [problemId] = /aria-describedby="([^" ]+)/.exec(input)?.slice(1) ?? []
  t.match(html, `id="${problemId}"`)
  t.match(textOf(html), 'Not saved. Check the highlighted field.')
})

t.test('a saved form is confirmed in its section', async t => {
  const saved = { section: 'retention', text: 'Retention saved.', undoId: null } as const
  const text = textOf(render(<Settings content={{ ...content, saved }} />))
  t.match(text, /Days.* Retention saved\. Save/)
  t.equal(text.split('Retention saved').length, 2)
  t.notMatch(textOf(render(<Settings content={content} />)), 'Retention saved')
})

const webhook: WebhookRow = {
  id: 'w1',
  version: 'v-webhook',
  name: 'On call',
  origin: 'https://chat.example',
  conditions: { newFailure: true, returnedFailure: true, errorRatio: { above: 0.05, overMinutes: 10 } },
  form: {
    values: { name: 'On call', url: '', new: 'on', returned: 'on', ratio: '5', minutes: '10' },
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
      problem: 'HTTP 404: no_service',
      nextMs: null,
    },
  ],
}

t.test('a webhook shows its host, its conditions and its last message', async t => {
  const html = render(<Settings content={withService({ webhooks: [webhook] })} />)
  const text = textOf(html)
  t.match(
    text,
    /On call.*https:\/\/chat\.example.*new failures, returned failures, error rate above 5% over 10 min/,
  )
  t.match(text, /Last message: Test, .* failed/)
  t.match(html, 'aria-label="Send a test to On call"')
  t.notMatch(text, 'Test not delivered')
})

t.test('the result of a test message is shown', async t => {
  const outcome = (overrides: Partial<WebhookRow['deliveries'][number]>) => {
    const deliveries = webhook.deliveries.map(each => ({ ...each, ...overrides }))
    return textOf(
      render(
        <Settings content={withService({ webhooks: [{ ...webhook, deliveries }], testedWebhookId: 'w1' })} />,
      ),
    )
  }
  t.match(outcome({}), 'Test not delivered HTTP 404: no_service')
  t.match(outcome({ state: 'delivered', status: 204, problem: null }), 'Test delivered (HTTP 204)')
  t.match(outcome({ state: 'waiting', status: null, problem: null }), 'No response to the test message yet')
})

t.test('a setting shows whether it was changed, and has a reset button only if it was', async t => {
  const original = render(<Settings content={content} />)
  t.match(textOf(original), 'Set by the environment')
  t.notMatch(original, 'Reset to the environment’s value')
  const changed = withService({
    level: { ...service.level, value: 'debug', isChanged: true },
  })
  const html = render(<Settings content={changed} />)
  t.match(textOf(html), 'Changed here. Environment: info')
  t.match(html, /<button[^>]* value="environment"/)
})

t.test('each form that changes stored values contains the version that it shows', async t => {
  const confirm = { dropped: 9, days: '7', gigabytes: '10' }
  const shown = withService({ webhooks: [webhook], retention: { ...service.retention, confirm } })
  const versions = render(<Settings content={shown} />).matchAll(
    /<form (?:(?!<\/form>).)*?name="form" value="([\w-]+)"(?:(?!<\/form>).)*?name="version" value="([\w-]+)"/g,
  )
  t.same(
    [...versions].map(([, form, version]) => [form, version]),
    [
      ['level', 'v-level'],
      ['retention', 'v-retention'],
      ['retention', 'v-retention'],
      ['redaction', 'v-redaction'],
      ['change-webhook', 'v-webhook'],
    ],
  )
})

t.test('a setting that the environment does not set shows its default', async t => {
  const levelHtml = (overrides: Partial<typeof service.level>) =>
    render(<Settings content={withService({ level: { ...service.level, isDefault: true, ...overrides } })} />)
  t.match(textOf(levelHtml({})), 'info silent Default value')
  const changed = textOf(levelHtml({ value: 'debug', isChanged: true }))
  t.match(changed, 'Changed here. Default: info')
  t.match(changed, 'Reset to the default')
})

t.test('a retention change that deletes events shows their number and asks for confirmation', async t => {
  const confirm = { dropped: 1_234_567, days: '7', gigabytes: '10' }
  const html = render(<Settings content={withService({ retention: { ...service.retention, confirm } })} />)
  t.match(textOf(html), 'This deletes about 1,234,567 events. Not saved yet.')
  t.match(html, '<input type="hidden" name="confirmed" value="yes"/>')
  t.match(html, '<input type="hidden" name="days" value="7"/>')
})

t.test('lists the damaged files', async t => {
  const damagedFiles = ['damaged/2026-11-22T01-02-03.004Z/events-0000000000000000.duckdb']
  const retention = { ...service.retention, stored: { ...service.retention.stored, damagedFiles } }
  const html = render(<Settings content={withService({ retention })} />)
  t.match(textOf(html), '1 damaged file was set aside')
  t.match(html, `<code>${damagedFiles[0]}</code>`)
  t.notMatch(textOf(render(<Settings content={content} />)), 'damaged')
})

t.test('the redaction preview is escaped', async t => {
  const redaction = { ...service.redaction, sample: '{"a":"<b>"}', preview: '{ "a": "<b>" }' }
  const html = render(<Settings content={withService({ redaction })} />)
  t.match(html, '{ &quot;a&quot;: &quot;&lt;b&gt;&quot; }')
})

t.test('after an invalid webhook is submitted, the form is open and shows the problems', async t => {
  const html = render(
    <Settings
      content={withService({
        webhookForm: {
          values: { name: 'x', url: 'ftp://here', new: '', returned: '', ratio: '', minutes: '5' },
          problems: { url: 'An address is needed', new: 'Choose at least one' },
        },
      })}
    />,
  )
  t.match(html, /<details class="settings-new" open="">/)
  t.match(/<input[^>]*name="url"[^>]*>/.exec(html)?.[0] ?? '', /aria-invalid="true".*value="ftp:\/\/here"/)
  t.match(textOf(html), 'Not saved. Check the 2 highlighted fields.')
})

t.test('a new secret is shown', async t => {
  const html = render(
    <Settings content={withService({ newSecret: { kind: 'token', name: 'ci', secret: 'sxp_1' } })} />,
  )
  t.match(textOf(html), /Token “ci” created.*won’t be shown again.*sxp_1/)
})
