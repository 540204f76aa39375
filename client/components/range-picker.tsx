import { formatDate, formatIsoMinute, formatTime } from '../../shared/format.ts'
import type { Preferences } from '../../shared/preferences.ts'
import { type Range, resolveRange, spans, spanWords, type Window } from '../../shared/range.ts'
import { usePage } from '../page.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { Menu } from './menu.tsx'
import { HiddenFields } from './search-box.tsx'

/** Selects a screen's time range: links for common spans, and a form for a custom start and end. */
export function RangePicker(props: {
  range: Range
  hrefFor: (range: Range) => string
  action: string
  hidden: Record<string, string>
}) {
  const { range, hrefFor } = props
  const { nowMs, preferences } = usePage()
  const window = resolveRange(range, nowMs)
  const current = 'span' in range ? spanWords[range.span] : formatRange(range, preferences)
  return (
    <Menu
      className="range"
      icon="clock"
      label={
        <>
          <span className="visually-hidden">Time range: </span>
          <span className="range-current">{current}</span>
        </>
      }
    >
      <ul>
        {spans.map(span => (
          <li key={span}>
            <a
              href={hrefFor({ span })}
              aria-current={'span' in range && range.span === span ? 'true' : undefined}
            >
              {spanWords[span]}
            </a>
          </li>
        ))}
      </ul>
      <form action={props.action} method="get">
        <HiddenFields values={props.hidden} />
        <TextField
          label="From"
          name="from"
          defaultValue={formatIsoMinute(window.fromMs, preferences.timeZone)}
          required
        />
        <TextField
          label="To"
          name="to"
          defaultValue={formatIsoMinute(window.toMs, preferences.timeZone)}
          hint="ISO 8601, e.g. 2026-11-21T14:00Z or 2026-11-21T15:00+01:00"
          required
        />
        <Button type="submit">Apply</Button>
      </form>
    </Menu>
  )
}

/** `2026-11-21 14:03 – 15:03`; with a second date if the range ends on another day. */
function formatRange({ fromMs, toMs }: Window, clock: Preferences): string {
  const date = (ms: number) => formatDate(ms, clock)
  const time = (ms: number) => formatTime(ms, clock, 'minute')
  const end = date(fromMs) === date(toMs) ? time(toMs) : `${date(toMs)} ${time(toMs)}`
  return `${date(fromMs)} ${time(fromMs)} – ${end}`
}
