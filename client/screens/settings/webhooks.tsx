import { formatRatio } from '../../../shared/format.ts'
import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { settingsForms, type WebhookForm, type WebhookRow } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'
import { Section } from '../../components/section.tsx'
import { Deliveries, TestOutcome } from './deliveries.tsx'
import { JustMade } from './made.tsx'
import { Told } from './told.tsx'
import { WebhookFields } from './webhook-fields.tsx'

const action = paths.settings({ part: 'webhooks' })

/** Whom Sixpane tells of what, how that went, and the form for another. */
export function Webhooks({ content }: { content: Contents['settings'] }) {
  const { webhooks, webhookForm, made, done, tested } = content
  const problems = [webhookForm, ...webhooks.map(({ form }) => form)].reduce(
    (sum, form) => sum + problemsOf(form),
    0,
  )
  return (
    <Section title="Webhooks" id="webhooks" count={webhooks.length}>
      <p className="muted prose">
        Sixpane posts JSON that Slack and its like show as it is: at most one message per failure and hour,
        signed, and tried again for some hours while nobody answers.
      </p>
      <Told part="webhooks" done={done} problems={problems} />
      {made?.kind === 'webhook' && <JustMade made={made} />}
      {webhooks.length > 0 && (
        <ul className="settings-list">
          {webhooks.map(webhook => (
            <Webhook key={webhook.id} webhook={webhook} isTested={tested === webhook.id} />
          ))}
        </ul>
      )}
      <details className="settings-new" open={webhooks.length === 0 || problemsOf(webhookForm) > 0}>
        <summary>Add a webhook</summary>
        <form className="settings-form" method="post" action={action}>
          <input type="hidden" name="form" value={settingsForms.addWebhook} />
          <WebhookFields
            {...webhookForm}
            urlHint="Where the messages are posted to. Of what it holds only the host is shown later."
          />
          <Button type="submit" kind="primary">
            Add the webhook
          </Button>
        </form>
      </details>
    </Section>
  )
}

function Webhook({ webhook, isTested }: { webhook: WebhookRow; isTested: boolean }) {
  const { id, name, origin, form, deliveries } = webhook
  return (
    <li className="settings-item">
      <div className="settings-item-head">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="muted">
          <bdi>{origin}</bdi> · {toldOf(webhook)}
        </span>
        <form method="post" action={action}>
          <input type="hidden" name="form" value={settingsForms.testWebhook} />
          <input type="hidden" name="id" value={id} />
          <Button type="submit" aria-label={`Send a test to ${name}`}>
            Send a test
          </Button>
        </form>
        <details className="settings-unfold" open={problemsOf(form) > 0}>
          <summary aria-label={`Change ${name}`}>Change</summary>
          <form className="settings-form" method="post" action={action}>
            <input type="hidden" name="form" value={settingsForms.changeWebhook} />
            <input type="hidden" name="id" value={id} />
            <WebhookFields
              {...form}
              urlHint="Nothing: it stays as it is. The key of the signatures stays too."
            />
            <Button type="submit" kind="primary" aria-label={`Save ${name}`}>
              Save the webhook
            </Button>
          </form>
        </details>
        <details className="settings-unfold">
          <summary aria-label={`Remove ${name}`}>Remove</summary>
          <form className="settings-sure" method="post" action={action}>
            <input type="hidden" name="form" value={settingsForms.removeWebhook} />
            <input type="hidden" name="id" value={id} />
            <span>Its messages that wait are dropped.</span>
            <Button type="submit" kind="danger" aria-label={`Yes, remove ${name}`}>
              Yes, remove it
            </Button>
          </form>
        </details>
      </div>
      {isTested && <TestOutcome deliveries={deliveries} />}
      <Deliveries name={name} deliveries={deliveries} />
    </li>
  )
}

function problemsOf({ problems }: WebhookForm): number {
  return Object.keys(problems).length
}

function toldOf({ conditions: { newFailure, returnedFailure, errorRatio } }: WebhookRow): string {
  return [
    ...(newFailure ? ['new failures'] : []),
    ...(returnedFailure ? ['returned failures'] : []),
    ...(errorRatio === null
      ? []
      : [`more than ${formatRatio(errorRatio.above)} errors over ${errorRatio.overMinutes} min`]),
  ].join(', ')
}
