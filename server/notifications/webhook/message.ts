import type { NoticeKind } from '../../store/webhook-store.ts'
import type { NoticeDescription } from '../notice.ts'

/**
 * Formats a notice as Slack-compatible JSON (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/):
 * `text` is for people, `metadata` for programs.
 */
export function webhookMessage(
  kind: NoticeKind,
  { headline, lines, href, facts }: NoticeDescription,
  origin: string,
): string {
  const link = `${origin}${href}`
  const text = [`*${escapeSlack(headline)}*`, ...lines.map(escapeSlack), `<${link}|Open in Sixpane>`].join(
    '\n',
  )
  return JSON.stringify({
    text,
    // Messages of exceptions come from strangers, so URLs and names of channels in them do not become links.
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }],
    unfurl_links: false,
    metadata: { event_type: eventTypes[kind], event_payload: { ...facts, url: link } },
  })
}

const eventTypes: Readonly<Record<NoticeKind, string>> = {
  new: 'failure.new',
  returned: 'failure.returned',
  ratio: 'service.error_ratio',
  test: 'test',
}

/** Escapes Slack's markup characters: https://docs.slack.dev/messaging/formatting-message-text/#escaping */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
