import { severities } from '../../../shared/event.ts'
import { Badge, StateLabel, type Tone } from '../../components/badge.tsx'
import { Digest } from '../../components/digest.tsx'
import { Section } from '../../components/section.tsx'
import { SeverityLabel } from '../../components/severity-label.tsx'
import { Ago, Time } from '../../components/time.tsx'
import { usePage } from '../../page.ts'
import { BothThemes, Note } from './sample.tsx'

const tones: Tone[] = ['neutral', 'accent', 'ok', 'warn', 'bad', 'muted']
const minuteMs = 60_000

/** The smallest parts: a word and its look. */
export function Words() {
  return (
    <>
      <Section title="Severities" id="severities">
        <Note>Icon, word and colour say the same. What is ordinary stays quiet. Nothing to focus.</Note>
        <BothThemes>
          {() => (
            <p className="ui-row">
              {severities.map(severity => (
                <SeverityLabel key={severity} severity={severity} />
              ))}
            </p>
          )}
        </BothThemes>
      </Section>
      <Section title="Badges and states" id="badges">
        <Note>A badge is a short word in a tone; a state is that of a service. Nothing to focus.</Note>
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
            </>
          )}
        </BothThemes>
      </Section>
      <Times />
      <Section title="Digests" id="digests">
        <Note>
          The digest leads to its failure. Tab goes to the link, then to the button; Enter or Space copies,
          and a screen reader hears that it did.
        </Note>
        <p className="ui-row">
          <Digest value="a41c09be72" />
          <Digest value="4163817072@E352" href="#failures" />
        </p>
      </Section>
    </>
  )
}

function Times() {
  const { nowMs } = usePage()
  return (
    <Section title="Times" id="times">
      <Note>
        In the zone and on the clock of the preferences; the exact instant on hover. Another day than today
        brings its date along.
      </Note>
      <p className="ui-row">
        <Time ms={nowMs} precision="minute" />
        <Time ms={nowMs} />
        <Time ms={nowMs} precision="millisecond" />
      </p>
      <p className="ui-row">
        <Ago ms={nowMs} />
        <Ago ms={nowMs - 42_000} />
        <Ago ms={nowMs - 17 * minuteMs} />
        <Ago ms={nowMs - 26 * 60 * minuteMs} />
        <Ago ms={nowMs + 5_000} />
      </p>
    </Section>
  )
}
