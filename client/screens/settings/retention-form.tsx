import { formatBytes, pluralise } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import {
  type RetentionForm as Content,
  settingsForms,
  settingsSections,
} from '../../../shared/screens/settings.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { Ago } from '../../components/time.tsx'
import type { ServiceContent } from './service-content.ts'
import { ResetButton, SettingOrigin } from './setting-origin.tsx'
import { SettingsForm } from './settings-form.tsx'

/** Limits on the age and disk space of stored events. */
export function RetentionForm({ content: { retention, saved } }: { content: ServiceContent }) {
  const { days, gigabytes, stored, forecast, confirm } = retention
  const problems = [days, gigabytes].filter(field => field.problem !== null).length
  return (
    <Section title={settingsSections.retention} id="retention">
      <p className="muted prose">
        Events beyond either limit are deleted permanently, oldest first. Stored:{' '}
        {pluralise(stored.events, 'event')} ({formatBytes(stored.diskBytes)})
        {stored.oldestMs !== null && (
          <>
            , oldest <Ago ms={stored.oldestMs} />
          </>
        )}
        .{forecast !== null && ` ${forecast}`}
      </p>
      {stored.damagedFiles.length > 0 && <DamagedFiles files={stored.damagedFiles} />}
      {confirm !== null && <Confirm confirm={confirm} version={retention.version} />}
      <SettingsForm
        section="retention"
        form={settingsForms.retention}
        version={retention.version}
        saved={saved}
        problems={problems}
        isUnsaved={problems > 0 || confirm !== null}
        actions={<ResetButton fields={[days, gigabytes]} />}
      >
        <TextField
          label="Days"
          name="days"
          inputMode="decimal"
          defaultValue={days.value}
          problem={days.problem ?? undefined}
          hint={<SettingOrigin field={days} />}
          autoComplete="off"
        />
        <TextField
          label="Gigabytes"
          name="gigabytes"
          inputMode="decimal"
          defaultValue={gigabytes.value}
          problem={gigabytes.problem ?? undefined}
          hint={<SettingOrigin field={gigabytes} />}
          autoComplete="off"
        />
      </SettingsForm>
    </Section>
  )
}

/** Lists the damaged files, because no screen shows their events. */
function DamagedFiles({ files }: { files: readonly string[] }) {
  return (
    <Notice
      tone="warn"
      title={
        files.length === 1 ? '1 damaged file was set aside' : `${files.length} damaged files were set aside`
      }
    >
      <p>
        Events in damaged files are not shown. Restore each file from a backup, or delete it. Paths in the
        data folder:
      </p>
      <ul>
        {files.map(file => (
          <li key={file}>
            <code>{file}</code>
          </li>
        ))}
      </ul>
    </Notice>
  )
}

/** Asks for confirmation before events are deleted. The form submits the values shown. */
function Confirm(props: { confirm: NonNullable<Content['confirm']>; version: string }) {
  const { dropped, days, gigabytes } = props.confirm
  const events = `about ${pluralise(dropped, 'event')}`
  return (
    <Notice tone="warn" title={`This deletes ${events}. Not saved yet.`} isOutcome>
      <p>
        Saving limits of {days} {days === '1' ? 'day' : 'days'} and {gigabytes} GB deletes these events
        immediately and permanently.
      </p>
      <form className="settings-buttons" method="post" action={paths.settings({ section: 'retention' })}>
        <input type="hidden" name="form" value={settingsForms.retention} />
        <input type="hidden" name="version" value={props.version} />
        <input type="hidden" name="days" value={days} />
        <input type="hidden" name="gigabytes" value={gigabytes} />
        <input type="hidden" name="confirmed" value="yes" />
        <Button type="submit" kind="danger">
          Delete {events}
        </Button>
        <ButtonLink href={paths.settings({ done: 'retention-discarded', section: 'retention' })}>
          Cancel
        </ButtonLink>
      </form>
    </Notice>
  )
}
