import { type Contents, settingsForms, type WebhookRow } from '../../../shared/content.ts'
import { formatRatio } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import { Button } from '../../components/button.tsx'
import { CheckField, TextField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { Deliveries } from './deliveries.tsx'

/** Whom Sixpane tells of what, how that went, and the form for another. */
export function Webhooks({ webhooks, webhookForm }: Pick<Contents['settings'], 'webhooks' | 'webhookForm'>) {
  return (
    <Section title="Webhooks" id="webhooks" count={webhooks.length}>
      <p className="muted prose">
        Sixpane posts JSON that Slack and its like show as it is: at most one message per failure and hour,
        signed, and tried again for some hours while nobody answers.
      </p>
      {webhooks.length > 0 && (
        <ul className="settings-list">
          {webhooks.map(webhook => (
            <Webhook key={webhook.id} webhook={webhook} />
          ))}
        </ul>
      )}
      <NewWebhook webhookForm={webhookForm} isFirst={webhooks.length === 0} />
    </Section>
  )
}

function Webhook({ webhook }: { webhook: WebhookRow }) {
  const { id, name, origin, deliveries } = webhook
  return (
    <li className="settings-item">
      <div className="settings-item-head">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        <span className="muted">
          <bdi>{origin}</bdi> · {toldOf(webhook)}
        </span>
        <form method="post" action={paths.settings()}>
          <input type="hidden" name="form" value={settingsForms.testWebhook} />
          <input type="hidden" name="id" value={id} />
          <Button type="submit" aria-label={`Send a test message to ${name}`}>
            Send a test
          </Button>
        </form>
        <details className="settings-remove">
          <summary aria-label={`Remove ${name}`}>Remove</summary>
          <form method="post" action={paths.settings()}>
            <input type="hidden" name="form" value={settingsForms.removeWebhook} />
            <input type="hidden" name="id" value={id} />
            <span>Its messages that wait are dropped.</span>
            <Button type="submit" kind="danger" aria-label={`Yes, remove ${name}`}>
              Yes, remove it
            </Button>
          </form>
        </details>
      </div>
      <Deliveries name={name} deliveries={deliveries} />
    </li>
  )
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

function NewWebhook({
  webhookForm: { values, problems },
  isFirst,
}: Pick<Contents['settings'], 'webhookForm'> & { isFirst: boolean }) {
  const isWrong = Object.keys(problems).length > 0
  return (
    <details className="settings-new" open={isWrong || isFirst}>
      <summary>Add a webhook</summary>
      <form className="settings-form" method="post" action={paths.settings()}>
        <input type="hidden" name="form" value={settingsForms.addWebhook} />
        <TextField
          label="Name"
          name="name"
          defaultValue={values.name}
          problem={problems.name}
          maxLength={60}
          autoComplete="off"
        />
        <TextField
          label="Address"
          name="url"
          type="url"
          defaultValue={values.url}
          problem={problems.url}
          hint="Where the messages are posted to. Of what it holds only the host is shown later."
          autoComplete="off"
        />
        <fieldset className="field">
          <legend>Tell of</legend>
          <CheckField label="A new failure" name="new" defaultValue={values.new} problem={problems.new} />
          <CheckField
            label="A resolved failure that is back"
            name="returned"
            defaultValue={values.returned}
          />
        </fieldset>
        <TextField
          label="Error ratio above, in percent"
          name="ratio"
          inputMode="decimal"
          defaultValue={values.ratio}
          problem={problems.ratio}
          hint="Of a service’s requests, from 20 requests on. Nothing: not told of."
          autoComplete="off"
        />
        <TextField
          label="Over how many minutes"
          name="minutes"
          inputMode="numeric"
          defaultValue={values.minutes}
          problem={problems.minutes}
          autoComplete="off"
        />
        <Button type="submit" kind="primary">
          Add the webhook
        </Button>
      </form>
    </details>
  )
}
