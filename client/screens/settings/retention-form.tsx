import { formatBytes, formatCount } from '../../../shared/format.ts'
import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { type RetentionForm as Content, settingsForms } from '../../../shared/screens/settings.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Notice } from '../../components/notice.tsx'
import { Section } from '../../components/section.tsx'
import { Ago } from '../../components/time.tsx'
import { BackToEnvironment, Origin } from './origin.tsx'
import { Told } from './told.tsx'

/** How long and how much is kept. */
export function RetentionForm({ content: { retention, done } }: { content: Contents['settings'] }) {
  const { days, gigabytes, kept, confirm } = retention
  const problems = [days, gigabytes].filter(field => field.problem !== null).length
  return (
    <Section title="Retention" id="retention">
      <p className="muted prose">
        Events that are older, and the oldest above the size, are dropped for good. Kept now:{' '}
        {formatCount(kept.events)} {kept.events === 1 ? 'event' : 'events'} in {formatBytes(kept.diskBytes)}
        {kept.oldestMs !== null && (
          <>
            , the oldest <Ago ms={kept.oldestMs} />
          </>
        )}
        .
      </p>
      {kept.damagedFiles.length > 0 && <DamagedFiles files={kept.damagedFiles} />}
      <Told part="retention" done={done} problems={problems} />
      {confirm !== null && <Confirm confirm={confirm} />}
      <form className="settings-form" method="post" action={paths.settings({ part: 'retention' })}>
        <input type="hidden" name="form" value={settingsForms.retention} />
        <TextField
          label="Days"
          name="days"
          inputMode="decimal"
          defaultValue={days.value}
          problem={days.problem ?? undefined}
          hint={<Origin field={days} />}
          autoComplete="off"
        />
        <TextField
          label="Gigabytes"
          name="gigabytes"
          inputMode="decimal"
          defaultValue={gigabytes.value}
          problem={gigabytes.problem ?? undefined}
          hint={<Origin field={gigabytes} />}
          autoComplete="off"
        />
        <div className="settings-buttons">
          <Button type="submit" kind="primary">
            Save the retention
          </Button>
          <BackToEnvironment fields={[days, gigabytes]} />
        </div>
      </form>
    </Section>
  )
}

/** Events that are missing from every screen: an operator has to know, and can bring them back. */
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

/** A form of its own: it says again what it confirms, whatever is typed meanwhile in the other. */
function Confirm({ confirm: { dropped, days, gigabytes } }: { confirm: NonNullable<Content['confirm']> }) {
  const events = `about ${formatCount(dropped)} ${dropped === 1 ? 'event' : 'events'}`
  return (
    <Notice tone="warn" title={`This drops ${events}. Nothing is changed yet.`}>
      <p>
        With {days} days and {gigabytes} GB they are gone at once, and nothing brings them back.
      </p>
      <form className="settings-buttons" method="post" action={paths.settings({ part: 'retention' })}>
        <input type="hidden" name="form" value={settingsForms.retention} />
        <input type="hidden" name="days" value={days} />
        <input type="hidden" name="gigabytes" value={gigabytes} />
        <input type="hidden" name="confirmed" value="yes" />
        <Button type="submit" kind="danger">
          Yes, drop {events}
        </Button>
        <ButtonLink href={paths.settings({ part: 'retention' })}>No, keep them</ButtonLink>
      </form>
    </Notice>
  )
}
