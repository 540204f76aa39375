import { formatCount, formatDateTime, formatRatio, formatRoundRatio } from '../../shared/format.ts'
import { isoTime } from '../../shared/iso-time.ts'
import { paths } from '../../shared/paths.ts'
import type { Window } from '../../shared/range.ts'
import { requestsHref } from '../../shared/request-search.ts'
import type { FailureAlert } from '../failures/alert.ts'

/** The reason for a notification. */
export type Notice = FailureAlert | RatioNotice | { kind: 'test'; webhook: string }

/** A service whose error rate is too high. */
export type RatioNotice = {
  kind: 'ratio'
  service: string
  requests: number
  errors: number
  above: number
  overMinutes: number
  /** The `overMinutes` minutes in which the requests are counted. */
  window: Window
}

/** Maximum length of a string from an event. Slack accepts 3,000 characters per section. */
const maxTextLength = 500

/**
 * The content of a notice, as plain text that each channel formats and escapes. Contains times instead of words for the
 * present, because a message may be delivered hours later.
 */
export type NoticeDescription = {
  /** Identifies the failure or service that the notice is about, to limit repetitions. */
  subject: string
  headline: string
  lines: string[]
  /** The path of the page in Sixpane that the notice links to. */
  href: string
  /** The values in the notice, in machine-readable form. */
  facts: Record<string, string | number | null>
}

/** Describes a notice for all channels. */
export function describeNotice(notice: Notice): NoticeDescription {
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
        lines: [`The webhook “${truncated(notice.webhook)}” works.`],
        href: paths.settings(),
        facts: { webhook: notice.webhook },
      }
  }
}

function describeFailure({ kind, failure, service, release, atMs }: FailureAlert): NoticeDescription {
  const { id, type, message, services, digests } = failure
  const source = release === null ? truncated(service) : `${truncated(service)} ${truncated(release)}`
  return {
    subject: id,
    headline: kind === 'new' ? `New failure in ${source}` : `A resolved failure returned in ${source}`,
    lines: [
      `${truncated(type)}: ${truncated(message)}`,
      ...(digests.length === 0 ? [] : [`Digest: ${digests.map(truncated).join(', ')}`]),
    ],
    href: paths.development({ failure: id }),
    facts: {
      fingerprint: id,
      exception_type: truncated(type),
      exception_message: truncated(message),
      services: services.join(', '),
      service,
      release,
      digest: digests[0] ?? null,
      time: isoTime(atMs),
    },
  }
}

/** The subject of a message about an error rate: see `NoticeDescription`. */
export function ratioSubject({ service }: Pick<RatioNotice, 'service'>): string {
  return `service ${service}`
}

function describeRatio(notice: RatioNotice): NoticeDescription {
  const { service, requests, errors, above, overMinutes, window } = notice
  const minutes = overMinutes === 1 ? 'minute' : `${overMinutes} minutes`
  const end = formatDateTime(window.toMs, { timeZone: 'UTC', clock: '24h' }, 'second')
  return {
    subject: ratioSubject(notice),
    headline: `${formatRatio(errors / requests)} of requests to ${truncated(service)} failed`,
    lines: [
      `${formatCount(errors)} of ${formatCount(requests)} in the ${minutes} before ${end} UTC, which is more than ${formatRoundRatio(above)}.`,
    ],
    href: requestsHref({ service }, window, 'errors'),
    facts: {
      service,
      requests,
      errors,
      over_minutes: overMinutes,
      above,
      from: isoTime(window.fromMs),
      to: isoTime(window.toMs),
      time: isoTime(window.toMs),
    },
  }
}

function truncated(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength).toWellFormed()}…` : text
}
