import { minuteMs } from '../../../shared/duration-units.ts'
import { paths } from '../../../shared/paths.ts'
import { severities } from '../../../shared/severity.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Digest } from '../../components/digest.tsx'
import { FailureStateLabel } from '../../components/failure-state.tsx'
import { Highlight } from '../../components/highlight.tsx'
import { Icon } from '../../components/icon.tsx'
import { iconNames } from '../../components/icon-names.ts'
import { LongText } from '../../components/long-text.tsx'
import { StateLabel } from '../../components/service-state.tsx'
import { SeverityLabel } from '../../components/severity-label.tsx'
import { Ago, Time } from '../../components/time.tsx'
import { usePage } from '../../page.ts'
import { BothThemes, Example } from './example.tsx'

const tones: Tone[] = ['neutral', 'accent', 'ok', 'warn', 'bad', 'muted']

/** Components that show states, icons, times, log text and digests. */
export function Labels() {
  return (
    <>
      <Example
        title="Severities"
        id="severities"
        note="Icon, word and colour have the same meaning. Severities below warn are muted."
        keys={[]}
        code={'<SeverityLabel severity="error" />'}
      >
        <BothThemes>
          {() => (
            <p className="ui-row">
              {severities.map(severity => (
                <SeverityLabel key={severity} severity={severity} />
              ))}
            </p>
          )}
        </BothThemes>
      </Example>
      <States />
      <Example
        title="Icons"
        id="icons"
        note="Icons accompany a word and never replace it, so no information depends on seeing them."
        keys={[]}
        code={'<Icon name="clock" />'}
      >
        <ul className="ui-icons">
          {iconNames.map(name => (
            <li key={name}>
              <Icon name={name} />
              {name}
            </li>
          ))}
        </ul>
      </Example>
      <Times />
      <LogText />
      <Example
        title="Digests"
        id="digests"
        note="A digest links to its failure. The button copies the digest, and screen readers announce this."
        keys={[
          ['Tab', 'moves to the link, then to the button'],
          ['Enter', 'follows the link, or copies'],
          ['Space', 'copies'],
        ]}
        code={'<Digest value="a41c09be72" href={paths.development({ failure })} />'}
      >
        <p className="ui-row">
          <Digest value="a41c09be72" />
          <Digest value="4163817072@E352" href={paths.ui({ group: 'failures' })} />
        </p>
      </Example>
    </>
  )
}

function States() {
  const { nowMs } = usePage()
  return (
    <Example
      title="Badges and states"
      id="badges"
      note="A badge is a short coloured label; a state label shows the state of a service or a failure."
      keys={[]}
      code={
        '<Badge tone="warn">waiting</Badge>\n<StateLabel state="degraded" />\n<FailureStateLabel failure={failure} />'
      }
    >
      <BothThemes>
        {() => (
          <>
            <p className="ui-row">
              {tones.map(tone => (
                <Badge key={tone} tone={tone}>
                  {tone}
                </Badge>
              ))}
            </p>
            <p className="ui-row">
              <StateLabel state="ok" />
              <StateLabel state="degraded" />
              <StateLabel state="failing" />
              <StateLabel state="silent" />
            </p>
            <p className="ui-row">
              <FailureStateLabel failure={{ state: 'open', returned: null }} />
              <FailureStateLabel failure={{ state: 'open', returned: { release: null, atMs: nowMs } }} />
              <FailureStateLabel failure={{ state: 'open', returned: { release: '1.4.2', atMs: nowMs } }} />
              <FailureStateLabel failure={{ state: 'resolved', returned: null }} />
              <FailureStateLabel failure={{ state: 'muted', returned: null }} />
            </p>
          </>
        )}
      </BothThemes>
    </Example>
  )
}

function Times() {
  const { nowMs } = usePage()
  return (
    <Example
      title="Times"
      id="times"
      note="Times use the visitor’s time zone and clock format. Today’s date is omitted. A tooltip shows the exact time."
      keys={[]}
      code={'<Time ms={event.timeMs} precision="millisecond" />\n<Ago ms={failure.lastSeenMs} />'}
    >
      <p className="ui-row">
        <Time ms={nowMs} precision="minute" />
        <Time ms={nowMs} />
        <Time ms={nowMs} precision="millisecond" />
        <Time ms={nowMs - 26 * 60 * minuteMs} precision="minute" />
      </p>
      <p className="ui-row">
        <Ago ms={nowMs} />
        <Ago ms={nowMs - 42_000} />
        <Ago ms={nowMs - 17 * minuteMs} />
        <Ago ms={nowMs - 26 * 60 * minuteMs} />
        <Ago ms={nowMs + 5_000} />
      </p>
    </Example>
  )
}

function LogText() {
  return (
    <Example
      title="Log text"
      id="log-text"
      note="Text in any script and direction. Control characters are visible, long text is collapsed, and search terms are highlighted."
      keys={[
        ['Tab', 'moves to collapsed text'],
        ['Enter, Space', 'expand or collapse it'],
      ]}
      code={'<LongText text={event.body} />\n<Highlight text={event.body} marks={["declined"]} />'}
    >
      <div className="ui-stack">
        <LongText text="card declined" />
        <LongText text="فشل الدفع بالبطاقة للطلب 4711 (retry 3/5)" />
        <LongText text={'\u001b[31mterminal colours\u001b[39m, a \u0000 and a \u202eturned\u202c word'} />
        <LongText text={'an unbroken word '.repeat(2) + '0123456789'.repeat(60)} />
        <p>
          <Highlight text="Card declined: the card was declined (402)" marks={['declined', '(402)']} />
        </p>
      </div>
    </Example>
  )
}
