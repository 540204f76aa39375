import { formatCount, formatRatio } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'
import { withTerm } from '../../shared/query.ts'
import type { FailureAlert } from '../failures/alert.ts'
import type { NoticeKind } from '../store/webhook-store.ts'

/** Why a message is sent. */
export type Notice =
  | FailureAlert
  | { kind: 'ratio'; service: string; requests: number; errors: number; above: number; overMinutes: number }
  | { kind: 'test'; webhook: string }

/** Maximum length of a string in a message. Slack accepts 3,000 characters per section. */
const maxTextLength = 500

/**
 * Formats a notice as Slack-compatible JSON (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/):
 * `text` for people, `metadata` for programs. `subject` identifies what the message is about, to limit repetitions.
 * @param origin public origin of Sixpane, without a trailing slash
 */
export function messageOf(notice: Notice, origin: string): { subject: string; body: string } {
  const { subject, headline, lines, href, facts } = describe(notice)
  const link = `${origin}${href}`
  const text = [`*${headline}*`, ...lines, `<${link}|Open in Sixpane>`].join('\n')
  const body = {
    text,
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }],
    metadata: { event_type: eventTypes[notice.kind], event_payload: { ...facts, url: link } },
  }
  return { subject, body: JSON.stringify(body) }
}

const eventTypes: Readonly<Record<NoticeKind, string>> = {
  new: 'failure.new',
  returned: 'failure.returned',
  ratio: 'service.error_ratio',
  test: 'test',
}

type Description = {
  subject: string
  headline: string
  lines: string[]
  href: string
  facts: Record<string, string | number | null>
}

function describe(notice: Notice): Description {
  switch (notice.kind) {
    case 'new':
    case 'returned':
      return describeFailure(notice)
    case 'ratio':
      return describeRatio(notice)
    case 'test':
      return {
        subject: 'test',
        headline: 'Test message from Sixpane',
        lines: [`The webhook “${plain(notice.webhook)}” works.`],
        href: paths.settings(),
        facts: { webhook: notice.webhook },
      }
  }
}

function describeFailure({ kind, failure, release }: FailureAlert): Description {
  const { id, type, message, services, digests } = failure
  const names = services.map(plain).join(', ')
  const source = release === null ? names : `${names} ${plain(release)}`
  return {
    subject: id,
    headline: kind === 'new' ? `New failure in ${source}` : `A resolved failure is back in ${source}`,
    lines: [
      `${plain(type)}: ${plain(message)}`,
      ...(digests.length === 0 ? [] : [`Digest: ${digests.map(plain).join(', ')}`]),
    ],
    href: paths.development({ failure: id }),
    facts: {
      fingerprint: id,
      exception_type: cut(type),
      exception_message: cut(message),
      services: services.join(', '),
      release,
      digest: digests[0] ?? null,
    },
  }
}

function describeRatio(notice: Extract<Notice, { kind: 'ratio' }>): Description {
  const { service, requests, errors, above, overMinutes } = notice
  return {
    subject: `service ${service}`,
    headline: `${formatRatio(errors / requests)} of the requests to ${plain(service)} fail`,
    lines: [
      `${formatCount(errors)} of ${formatCount(requests)} in the last ${overMinutes} minutes, more than ${formatRatio(above)}.`,
    ],
    href: paths.activities({ q: `${withTerm('', 'service', service)} status:>=500` }),
    facts: { service, requests, errors, over_minutes: overMinutes, above },
  }
}

/** Escapes Slack's markup characters: https://docs.slack.dev/messaging/formatting-message-text/#escaping */
function plain(text: string): string {
  return cut(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function cut(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength).toWellFormed()}…` : text
}
