import type { ReactNode } from 'react'
import { type AttributeKey, isAttributeKey } from '../../shared/columns.ts'
import type { EventLinks, EventRow, Json, LogEvent } from '../../shared/event.ts'
import { formatDuration, formatInstant, pluralise } from '../../shared/format.ts'
import { isoTime } from '../../shared/iso-time.ts'
import { attributeField, withTerm } from '../../shared/query.ts'
import type { Frame } from '../../shared/stack.ts'
import { copyText } from '../copy-text.ts'
import { usePage } from '../page.ts'
import { Button, ButtonLink } from './button.tsx'
import { Copy } from './copy.tsx'
import { messageParts } from './event-message.tsx'
import { flatten } from './flatten.ts'
import { Icon, type IconName } from './icon.tsx'
import { LongText } from './long-text.tsx'
import { plainText } from './plain-text.ts'
import { SeverityLabel } from './severity-label.tsx'
import { StackTrace } from './stack-trace.tsx'
import { Time } from './time.tsx'

/** Attributes beyond this limit are collapsed. */
const attributeLimit = 24
/** Values that have filter links. A longer search would be unreadable, and text fields would change its line breaks. */
const filterable = /^[^\r\n]{1,200}$/
/** About three lines of the title. A longer message is collapsed, so that the fields stay visible. */
const maxTitleLength = 200

type Row = { name: string; value: Json; shown?: string | undefined; term: Term | null; key?: AttributeKey }
type Term = { field: string; value: string | number }
type Filter = {
  q: string
  hrefFor: (q: string) => string
  columnHref?: ((key: AttributeKey) => string | null) | undefined
  countHref?: ((key: AttributeKey) => string) | undefined
}

/**
 * All fields of an event. Each field has a copy button and, if its value can be searched for, links that filter by the value
 * or exclude it.
 */
export function EventDetails(props: {
  event: LogEvent & Pick<EventRow, 'path'>
  /** The frames of the stack, with their source. Without frames, the stack is shown as it was logged. */
  frames?: Frame[]
  /** The current search. Filter links add terms to it. */
  q: string
  hrefFor: (q: string) => string
  /** Returns the URL of the log with this column added; `null` if the log already has it. */
  columnHref?: ((key: AttributeKey) => string | null) | undefined
  /** Returns the URL of the log with the values of this attribute counted. */
  countHref?: ((key: AttributeKey) => string) | undefined
  links?: EventLinks
  /** A URL of the event that does not depend on the time range. */
  permalink?: string | undefined
  /** Content rendered above the fields, such as a waterfall. */
  children?: ReactNode
}) {
  const { event, frames = [], q, hrefFor, columnHref, countHref, links = {}, permalink } = props
  const { preferences } = usePage()
  const filter = { q, hrefFor, columnHref, countHref }
  const { requestId, traceId, exception } = event
  const { type, text, context } = messageParts(event)
  const fields = fieldRows(event, formatInstant(event.timeMs, preferences))
  const attributes = flatten(event.attributes).map(attributeRow)
  return (
    <article className="event" aria-label="Event" data-severity={event.severity}>
      <header className="event-head">
        <p className="event-origin">
          <SeverityLabel severity={event.severity} />
          <Time ms={event.timeMs} precision="millisecond" />
          <bdi>{plainText(event.service)}</bdi>
          {event.release !== null && <bdi className="muted">{plainText(event.release)}</bdi>}
          {event.status !== null && (
            <span className="status" data-error={event.status >= 400 ? event.status : undefined}>
              {event.status}
            </span>
          )}
          {event.durationMs !== null && <span>{formatDuration(event.durationMs)}</span>}
        </p>
        <div className="event-body">
          {type !== null && <strong>{type}</strong>}
          <LongText
            text={text === '' && type === null ? '(no message)' : text}
            characterLimit={maxTitleLength}
          />
          {context.map(part => (
            <LongText key={part} text={part} characterLimit={maxTitleLength} />
          ))}
        </div>
      </header>
      <div className="event-actions">
        {links.failure && (
          <ButtonLink href={links.failure} kind="primary">
            View failure
          </ButtonLink>
        )}
        {links.request && requestId !== traceId && <ButtonLink href={links.request}>View request</ButtonLink>}
        {links.trace && <ButtonLink href={links.trace}>View trace</ButtonLink>}
        <span className="event-copy needs-script">
          {permalink !== undefined && (
            <Button onClick={() => copyText(location.origin + permalink)}>Copy link</Button>
          )}
          <Button onClick={() => copyText(JSON.stringify(event, null, 2))}>Copy JSON</Button>
        </span>
      </div>
      {exception !== null && (
        <Part title="Stack trace">
          <StackTrace frames={frames} stack={exception.stack} />
        </Part>
      )}
      {props.children}
      <Part title="Fields">
        <Rows rows={fields} filter={filter} />
      </Part>
      {attributes.length > 0 && (
        <Part title={`Attributes (${attributes.length})`}>
          <Rows rows={attributes.slice(0, attributeLimit)} filter={filter} />
          {attributes.length > attributeLimit && (
            <details className="event-more">
              <summary>{pluralise(attributes.length - attributeLimit, 'more attribute')}</summary>
              <Rows rows={attributes.slice(attributeLimit)} filter={filter} />
            </details>
          )}
        </Part>
      )}
    </article>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="event-part">
      <h3>{title}</h3>
      {children}
    </div>
  )
}

function Rows({ rows, filter }: { rows: Row[]; filter: Filter }) {
  return (
    <dl className="event-rows">
      {rows.map(row => (
        <div key={row.name}>
          <dt>
            <bdi>{plainText(row.name)}</bdi>
          </dt>
          <dd>
            <Value row={row} />
            <Actions row={row} filter={filter} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Value({ row: { value, shown } }: { row: Row }) {
  if (shown !== undefined) return <span>{shown}</span>
  return <LongText text={textOf(value)} />
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function Actions({ row, filter: { q, hrefFor, columnHref, countHref } }: { row: Row; filter: Filter }) {
  const { name, value, term, key } = row
  const label = plainText(name)
  const addHref = key === undefined ? null : (columnHref?.(key) ?? null)
  return (
    <span className="event-row-actions">
      {term !== null && (
        <>
          <Action
            href={hrefFor(withTerm(q, term.field, term.value))}
            icon="include"
            label={`Filter by this ${label}`}
          />
          <Action
            href={hrefFor(withTerm(q, term.field, term.value, true))}
            icon="exclude"
            label={`Exclude this ${label}`}
          />
        </>
      )}
      {addHref !== null && <Action href={addHref} icon="columns" label={`Show ${label} as a column`} />}
      {key !== undefined && countHref !== undefined && (
        <Action href={countHref(key)} icon="filter" label={`Count ${label} values`} />
      )}
      <Copy value={textOf(value)} label={`Copy ${label}`} />
    </span>
  )
}

function Action({ href, icon, label }: { href: string; icon: IconName; label: string }) {
  return (
    <a href={href} aria-label={label} title={label}>
      <Icon name={icon} />
    </a>
  )
}

function fieldRows(event: LogEvent, instant: string): Row[] {
  const { timeMs, severity, service, release, source, method, route, status, durationMs } = event
  const { digest, fingerprint, requestId: request, traceId: trace, spanId: span } = event
  return [
    { name: 'time', value: isoTime(timeMs), shown: instant, term: null },
    ...searchable({ severity, service, release, source, method, route, status }),
    ...(durationMs === null
      ? []
      : [{ name: 'duration', value: durationMs, shown: formatDuration(durationMs), term: null }]),
    ...searchable({ digest, fingerprint, request, trace, span }),
  ]
}

/** Rows for the fields that have a value. */
function searchable(fields: Record<string, string | number | null>): Row[] {
  return Object.entries(fields).flatMap(([field, value]) =>
    value === null ? [] : [{ name: field, value, term: { field, value } }],
  )
}

function attributeRow({ path, value }: { path: string; value: Json }): Row {
  const term = typeof value === 'boolean' ? String(value) : value
  const isFilterable = typeof term === 'number' || (typeof term === 'string' && filterable.test(term))
  const filter = isFilterable ? { field: attributeField(path), value: term } : null
  const key = `@${path}`
  return { name: path, value, term: filter, ...(isAttributeKey(key) && { key }) }
}
