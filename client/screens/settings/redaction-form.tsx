import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { settingsForms } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { TextAreaField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { BackToEnvironment, Origin } from './origin.tsx'
import { Told } from './told.tsx'

/** What never reaches the store. */
export function RedactionForm({ content }: { content: Contents['settings'] }) {
  const { redaction, redacted, done } = content
  const { value, environment, problem, sample, sampleProblem, tried } = redaction
  const names = environment === '' ? 'none' : <code>{environment.replaceAll('\n', ', ')}</code>
  return (
    <Section title="Redaction" id="redaction">
      <p className="muted prose">
        The value of a field whose name ends in one of these words is replaced by <code>[redacted]</code>, at
        any depth, before an event is kept or written to standard output. So are tokens and passwords that
        stand in a message.
      </p>
      <ul className="settings-redacted">
        {redacted.map(name => (
          <li key={name}>
            <code>{name}</code>
          </li>
        ))}
      </ul>
      <Told part="redaction" done={done} problems={problem === null ? 0 : 1} />
      <form className="settings-form" method="post" action={paths.settings({ part: 'redaction' })}>
        <input type="hidden" name="form" value={settingsForms.redaction} />
        <TextAreaField
          label="More paths to redact"
          name="paths"
          rows={Math.min(Math.max(value.split('\n').length, 3), 12)}
          defaultValue={value}
          problem={problem ?? undefined}
          hint={
            <>
              One a line, as an event’s attributes are named: <code>user.email</code>. It holds for what comes
              in from then on; what is kept stays as it is. <Origin field={redaction}>{names}</Origin>
            </>
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <div className="settings-buttons">
          <Button type="submit" kind="primary">
            Save the paths
          </Button>
          <BackToEnvironment fields={[redaction]} />
        </div>
        <details className="settings-new" open={tried !== null || sampleProblem !== null}>
          <summary>Try them on a log line</summary>
          <div className="settings-form">
            <TextAreaField
              label="A log line"
              name="sample"
              rows={3}
              defaultValue={sample}
              problem={sampleProblem ?? undefined}
              hint="JSON. It is neither kept nor logged, and nothing is saved."
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <Button type="submit" name="to" value="try">
              Try the paths
            </Button>
            {tried !== null && <CodeBlock code={tried} language="json" label="What would be kept" />}
          </div>
        </details>
      </form>
    </Section>
  )
}
