import { settingsForms, settingsSections } from '../../../shared/screens/settings.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { TextAreaField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import type { ServiceContent } from './service-content.ts'
import { ResetButton, SettingOrigin } from './setting-origin.tsx'
import { SettingsForm } from './settings-form.tsx'

/** The attribute paths to redact, with a preview. */
export function RedactionForm({ content }: { content: ServiceContent }) {
  const { redaction, redactedNames, saved } = content
  const { value, environment, problem, sample, sampleProblem, preview } = redaction
  const problems = [problem, sampleProblem].filter(each => each !== null).length
  const environmentPaths = environment === '' ? 'none' : <code>{environment.replaceAll('\n', ', ')}</code>
  return (
    <Section title={settingsSections.redaction} id="redaction">
      <p className="muted prose">
        The values of fields whose names end in one of these words are replaced with <code>[redacted]</code>,
        at any depth, before an event is stored or logged. Tokens and passwords in messages are redacted too.
      </p>
      <p className="settings-redacted">
        <code>{redactedNames.join(', ')}</code>
      </p>
      <SettingsForm
        section="redaction"
        form={settingsForms.redaction}
        version={redaction.version}
        saved={saved}
        problems={problems}
        isUnsaved={problems > 0 || preview !== null}
        actions={<ResetButton fields={[redaction]} />}
      >
        <TextAreaField
          label="Additional paths to redact"
          name="paths"
          rows={Math.min(Math.max(value.split('\n').length, 3), 12)}
          defaultValue={value}
          problem={problem ?? undefined}
          hint={
            <>
              One attribute path per line, e.g. <code>user.email</code>. Applies to new events only.
              <br />
              <SettingOrigin field={redaction}>{environmentPaths}</SettingOrigin>
            </>
          }
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <details className="settings-new" open={preview !== null || sampleProblem !== null}>
          <summary>Preview on a log line</summary>
          <div className="settings-form">
            <TextAreaField
              label="Log line"
              name="sample"
              rows={3}
              defaultValue={sample}
              problem={sampleProblem ?? undefined}
              hint="One JSON object. The line is neither stored nor logged, and the paths are not saved."
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <Button type="submit" name="to" value="try">
              Preview
            </Button>
            {preview !== null && (
              <div data-outcome="">
                <CodeBlock code={preview} language="json" label="Redacted log line" />
              </div>
            )}
          </div>
        </details>
      </SettingsForm>
    </Section>
  )
}
