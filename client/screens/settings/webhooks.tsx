import { formatRoundRatio } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import {
  settingsForms,
  settingsSections,
  type WebhookForm,
  type WebhookRow,
} from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'
import { Deliveries } from '../../components/deliveries.tsx'
import { Section } from '../../components/section.tsx'
import { NewSecret } from './new-secret.tsx'
import { SaveNotice } from './save-notice.tsx'
import type { ServiceContent } from './service-content.ts'
import { SettingsForm } from './settings-form.tsx'
import { TestOutcome } from './test-outcome.tsx'
import { WebhookFields } from './webhook-fields.tsx'

const action = paths.settings({ section: 'webhooks' })

/** The webhooks with their deliveries, and a form that adds a webhook. */
export function Webhooks({ content }: { content: ServiceContent }) {
  const { webhooks, webhookForm, newSecret, saved, testedWebhookId } = content
  return (
    <Section title={settingsSections.webhooks} id="webhooks" count={webhooks.length}>
      <p className="muted prose">
        Webhooks send signed, Slack-compatible JSON and retry for more than two hours. The error rate of a
        service is reported at most once an hour.
      </p>
      <SaveNotice section="webhooks" saved={saved} />
      {newSecret?.kind === 'webhook' && <NewSecret key={newSecret.secret} secret={newSecret} />}
      {webhooks.length > 0 && (
        <ul className="settings-list">
          {webhooks.map(webhook => (
            <Webhook key={webhook.id} webhook={webhook} isTested={testedWebhookId === webhook.id} />
          ))}
        </ul>
      )}
      <details className="settings-new" open={webhooks.length === 0 || problemsOf(webhookForm) > 0}>
        <summary>New webhook</summary>
        <SettingsForm
          section="webhooks"
          form={settingsForms.addWebhook}
          problems={problemsOf(webhookForm)}
          save="Add webhook"
        >
          <WebhookFields {...webhookForm} urlHint="Only the host is shown after saving." />
        </SettingsForm>
      </details>
    </Section>
  )
}

function Webhook({ webhook, isTested }: { webhook: WebhookRow; isTested: boolean }) {
  const { id, version, name, origin, form, deliveries } = webhook
  return (
    <li className="settings-item">
      <div className="settings-item-head">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="muted">
          <bdi>{origin}</bdi> · {describe(webhook)}
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
          <SettingsForm
            section="webhooks"
            form={settingsForms.changeWebhook}
            version={version}
            problems={problemsOf(form)}
            save="Save webhook"
            saveName={`Save ${name}`}
          >
            <input type="hidden" name="id" value={id} />
            <WebhookFields
              {...form}
              urlHint="Leave empty to keep the current URL. The signing key does not change."
            />
          </SettingsForm>
        </details>
        <form method="post" action={action}>
          <input type="hidden" name="form" value={settingsForms.removeWebhook} />
          <input type="hidden" name="id" value={id} />
          <Button type="submit" aria-label={`Remove webhook ${name}`}>
            Remove
          </Button>
        </form>
      </div>
      {isTested && <TestOutcome deliveries={deliveries} />}
      <Deliveries name={name} deliveries={deliveries} />
    </li>
  )
}

function problemsOf({ problems }: WebhookForm): number {
  return Object.keys(problems).length
}

function describe({ conditions: { newFailure, returnedFailure, errorRatio } }: WebhookRow): string {
  return [
    ...(newFailure ? ['new failures'] : []),
    ...(returnedFailure ? ['returned failures'] : []),
    ...(errorRatio === null
      ? []
      : [`error rate above ${formatRoundRatio(errorRatio.above)} over ${errorRatio.overMinutes} min`]),
  ].join(', ')
}
