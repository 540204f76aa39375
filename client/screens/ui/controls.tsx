import { paths } from '../../../shared/paths.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { ChoiceField, SelectField, TextField } from '../../components/field.tsx'
import { Empty, Notice } from '../../components/notice.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { Section } from '../../components/section.tsx'
import { usePage } from '../../page.ts'
import { BothThemes, Note } from './sample.tsx'

const hourMs = 3_600_000
const themes = ['System', 'Light', 'Dark'].map(label => ({ value: label.toLowerCase(), label }))
const zones = ['UTC', 'Europe/Zurich', 'Asia/Kathmandu'].map(value => ({ value, label: value }))

/** What a visitor acts on, and what answers. */
export function Controls() {
  const { nowMs } = usePage()
  return (
    <>
      <Section title="Buttons" id="buttons">
        <Note>Enter and Space press a button; Enter follows a link that looks like one.</Note>
        <BothThemes>
          {() => (
            <p className="ui-row">
              <Button kind="primary">Save</Button>
              <Button>Test</Button>
              <Button kind="danger">Revoke</Button>
              <Button disabled>Not now</Button>
              <ButtonLink href="#buttons">A link</ButtonLink>
            </p>
          )}
        </BothThemes>
      </Section>
      <Section title="Chips" id="chips">
        <Note>Links: Tab and Enter. The one that is on says so to a screen reader.</Note>
        <BothThemes>
          {() => (
            <p className="ui-row">
              <Chip href="#chips" active={false} count={12345}>
                info
              </Chip>
              <Chip href="#chips" active count={14}>
                error
              </Chip>
              <Chip href="#chips" active={false} count={0}>
                fatal
              </Chip>
              <Chip href="#chips" active={false}>
                without a count
              </Chip>
            </p>
          )}
        </BothThemes>
      </Section>
      <Section title="Fields" id="fields">
        <Note>
          A hint and a problem are read out with their field. In a choice, Tab reaches the one that is on, the
          arrow keys move on.
        </Note>
        <BothThemes>{theme => <Fields theme={theme} />}</BothThemes>
      </Section>
      <Section title="Search" id="search">
        <Note>
          The slash key goes to the search of the screen, Enter searches, Escape empties. What could not be
          read is marked where it stands.
        </Note>
        <div className="ui-stack">
          <SearchBox
            action={paths.ui()}
            name="q"
            label="Search, empty"
            placeholder="severity:error service:api “card declined”"
          />
          <SearchBox
            action={paths.ui()}
            name="q"
            label="Search, unreadable"
            defaultValue='service:shop AND (status:>=500 "card'
            problem={{ message: 'A quote is opened here and never closed', from: 31, to: 36 }}
          />
        </div>
      </Section>
      <Section title="Range" id="range">
        <Note>Enter or Space opens it, Tab goes through it, Escape closes it and returns the focus.</Note>
        <div className="ui-row">
          <RangePicker range={{ span: '1h' }} hrefFor={() => '#range'} action={paths.ui()} hidden={{}} />
          <RangePicker
            range={{ fromMs: nowMs - 30 * hourMs, toMs: nowMs - 28 * hourMs }}
            hrefFor={() => '#range'}
            action={paths.ui()}
            hidden={{}}
          />
        </div>
      </Section>
      <Notices />
      <Section title="Code" id="code">
        <Note>
          Long lines break, so that nothing has to be scrolled; what is copied is the code as it stands.
        </Note>
        <CodeBlock
          label="Send lines with curl"
          language="shell"
          code={
            "curl --data-binary @app.log \\\n  -H 'content-type: application/x-ndjson' \\\n  https://sixpane.example/ingest"
          }
        />
      </Section>
    </>
  )
}

function Fields({ theme }: { theme: string }) {
  return (
    <div className="ui-stack">
      <TextField label="Name" name={`${theme}-name`} defaultValue="checkout" hint="As it stands in the log" />
      <TextField
        label="Webhook"
        name={`${theme}-hook`}
        defaultValue="htp://example"
        problem="This is no address: it must start with https://"
      />
      <TextField label="Not for you" name={`${theme}-off`} defaultValue="fixed" disabled />
      <SelectField label="Time zone" name={`${theme}-zone`} defaultValue="UTC" options={zones} />
      <SelectField
        label="Time zone, wrong"
        name={`${theme}-zone-wrong`}
        options={zones}
        problem="This zone is not known here"
      />
      <ChoiceField label="Theme" name={`${theme}-theme`} defaultValue="light" options={themes} />
    </div>
  )
}

function Notices() {
  return (
    <Section title="Notices and emptiness" id="notices">
      <Note>A notice is read out where it appears; a bad one interrupts.</Note>
      <BothThemes>
        {() => (
          <div className="ui-stack">
            <Notice tone="ok" title="Saved" />
            <Notice tone="neutral" title="Times are in UTC">
              <a href={paths.settings()}>Choose another zone</a>
            </Notice>
            <Notice tone="warn" title="14 events were dropped">
              The queue was full for 3 s.
            </Notice>
            <Notice tone="bad" title="The store cannot be read">
              The log says why.
            </Notice>
            <Empty title="No event matches">
              <p>
                Take a word out of the search, or <a href="#notices">look at the last 24 hours</a>.
              </p>
            </Empty>
          </div>
        )}
      </BothThemes>
    </Section>
  )
}
