import { minuteMs } from '../../shared/duration-units.ts'
import {
  formatDateTime,
  formatLocalTime,
  formatRecentDay,
  formatTime,
  formatZone,
} from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'
import type { Preferences } from '../../shared/preferences.ts'
import { type Range, spanLengthMs, spans, spanWords, type Window } from '../../shared/range.ts'
import { settingsForms } from '../../shared/screens/settings.ts'
import { splitUrl } from '../../shared/split-url.ts'
import { copyText } from '../copy-text.ts'
import { usePage } from '../page.ts'
import { Button } from './button.tsx'
import { TextField } from './field.tsx'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'
import { queryOf } from './query-of.ts'
import { HiddenFields } from './search-box.tsx'

/** Examples of time ranges that visitors can type (shared/time-expression.ts). */
const timeExamples = '90m, today, yesterday 14:00, 21:40-22:10, 2026-11-20 to 2026-11-22'

type Props = {
  range: Range
  /** The window of a relative range. */
  window: Window
  /** Returns the URL of the screen with a range, or with none. The forms contain the other parameters of this URL. */
  hrefFor: (range: Range | undefined) => string
}

/** Selects a screen's time range: links for common ranges, a typed range, or a start and end. */
export function RangePicker(props: Props) {
  const { range, hrefFor } = props
  const { nowMs, preferences, invalidRange, url } = usePage()
  const window = 'span' in range ? props.window : range
  const rangeless = hrefFor(undefined)
  const { path: action } = splitUrl(rangeless)
  const hidden = queryOf(rangeless)
  const current = 'span' in range ? spanWords(range.span) : formatRange(range, nowMs, preferences)
  const invalidTime = invalidRange !== undefined && 'time' in invalidRange ? invalidRange.time : undefined
  const invalidEnds = invalidRange !== undefined && 'from' in invalidRange ? invalidRange : undefined
  // Omits the seconds of a relative range, because they depend only on when the page was loaded.
  const withSeconds = !('span' in range) && (range.fromMs % minuteMs !== 0 || range.toMs % minuteMs !== 0)
  const ends = invalidEnds ?? {
    from: formatLocalTime(window.fromMs, preferences.timeZone, withSeconds),
    to: formatLocalTime(window.toMs, preferences.timeZone, withSeconds),
  }
  // Text that was entered for another page or time zone must not remain in the fields. A refresh does not change
  // this key, so it keeps the text.
  const key = url + preferences.timeZone
  return (
    <div className="range-picker">
      <p className="print-only">
        {formatDateTime(window.fromMs, preferences, 'minute')} –{' '}
        {formatDateTime(window.toMs, preferences, 'minute')} {preferences.timeZone}
      </p>
      <Shift {...props} window={window} />
      <Menu
        // Entering another invalid range reopens the menu.
        key={JSON.stringify(invalidRange)}
        className="range"
        icon="clock"
        startsWithField
        open={invalidRange !== undefined}
        label={
          <>
            <span className="visually-hidden">Time range: </span>
            <span className={'span' in range ? 'range-current' : 'range-current range-ends'}>{current}</span>
            <span className="range-zone muted">{formatZone(preferences.timeZone)}</span>
          </>
        }
      >
        <form action={action} method="get">
          <HiddenFields values={hidden} />
          <TextField
            key={key}
            label="Time range"
            name="time"
            defaultValue={invalidTime}
            placeholder="90m, yesterday 14:00, …"
            hint={invalidTime !== undefined ? undefined : `e.g. ${timeExamples}`}
            autoFocus={invalidTime !== undefined}
            problem={invalidTime !== undefined ? `Enter a range such as ${timeExamples}` : undefined}
            required
          />
        </form>
        <form className="range-days" action={action} method="get">
          <HiddenFields values={hidden} />
          <Button type="submit" name="time" value="today">
            Today
          </Button>
          <Button type="submit" name="time" value="yesterday">
            Yesterday
          </Button>
        </form>
        <ul>
          {spans.map(span => (
            <li key={span}>
              <a
                href={hrefFor({ span })}
                aria-current={'span' in range && range.span === span ? 'true' : undefined}
              >
                {spanWords(span)}
              </a>
            </li>
          ))}
        </ul>
        <form action={action} method="get">
          <HiddenFields values={hidden} />
          {(['from', 'to'] as const).map(name => (
            <TextField
              key={name + key}
              type="datetime-local"
              label={name === 'from' ? 'From' : 'To'}
              name={name}
              defaultValue={ends[name]}
              step={withSeconds ? 1 : 60}
              problem={
                invalidEnds !== undefined && name === 'to' ? 'Enter a time after the start' : undefined
              }
              required
            />
          ))}
          <Button type="submit">Apply</Button>
        </form>
        <ZoneSwitch />
        <CopyLinks relative={hrefFor(range)} absolute={hrefFor(window)} />
      </Menu>
    </div>
  )
}

/** Shows the time zone, and switches between UTC and the browser's zone. Settings offers the other zones. */
function ZoneSwitch() {
  const { preferences, url } = usePage()
  const { timeZone, isBrowserZone } = preferences
  const isUtc = timeZone === 'UTC'
  return (
    <form className="range-zones" method="post" action={paths.settings()}>
      <input type="hidden" name="form" value={settingsForms.zone} />
      <input type="hidden" name="back" value={url} />
      <a href={paths.settings({ section: 'preferences' })}>{`Times in ${timeZone}`}</a>
      {!(isUtc && isBrowserZone) && (
        <Button type="submit" name="zone" value={isUtc ? 'browser' : 'UTC'}>
          {isUtc ? 'Use local time' : 'Use UTC'}
        </Button>
      )}
    </form>
  )
}

/** Links to the previous window and, unless it is in the future, to the next one. */
function Shift({ range, window: { fromMs, toMs }, hrefFor }: Props) {
  const { nowMs } = usePage()
  // The window of a relative range begins at a round time, so the one before should too.
  const lengthMs = 'span' in range ? spanLengthMs(range.span) : toMs - fromMs
  return (
    <>
      <a
        className="range-shift"
        href={hrefFor({ fromMs: fromMs - lengthMs, toMs: fromMs })}
        aria-label="Earlier"
        title="Previous time range"
      >
        <Icon name="left" />
      </a>
      {toMs < nowMs ? (
        <a
          className="range-shift"
          href={hrefFor({ fromMs: toMs, toMs: toMs + lengthMs })}
          aria-label="Later"
          title="Next time range"
        >
          <Icon name="right" />
        </a>
      ) : (
        <span className="range-shift" aria-hidden="true">
          <Icon name="right" />
        </span>
      )}
    </>
  )
}

function CopyLinks({ relative, absolute }: { relative: string; absolute: string }) {
  return (
    <div className="range-copy needs-script">
      <Button onClick={() => copyText(location.origin + relative)}>Copy link</Button>
      {relative !== absolute && (
        <Button onClick={() => copyText(location.origin + absolute)}>Copy link with these times</Button>
      )}
    </div>
  )
}

/** `Nov 21, 14:03 – 15:03`; with a second date if the range ends on another day. */
function formatRange({ fromMs, toMs }: Window, nowMs: number, clock: Preferences): string {
  const day = (ms: number) => formatRecentDay(ms, nowMs, clock)
  const needsSeconds = toMs - fromMs < 10 * minuteMs && (fromMs % minuteMs !== 0 || toMs % minuteMs !== 0)
  const time = (ms: number) => formatTime(ms, clock, needsSeconds ? 'second' : 'minute')
  const end = day(fromMs) === day(toMs) ? time(toMs) : `${day(toMs)}, ${time(toMs)}`
  return `${day(fromMs)}, ${time(fromMs)} – ${end}`
}
