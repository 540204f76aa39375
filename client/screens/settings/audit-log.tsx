import { paths } from '../../../shared/paths.ts'
import { type AuditRow, settingsSections } from '../../../shared/screens/settings.ts'
import { plainText } from '../../components/plain-text.ts'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { Section } from '../../components/section.tsx'
import { Ago } from '../../components/time.tsx'

/** The latest actions of users. */
export function AuditLog({ entries }: { entries: AuditRow[] }) {
  return (
    <Section title={settingsSections.audit} id="audit">
      <p className="muted prose">
        What users did, newest first. Unless the log level excludes info, each action is also{' '}
        <a href={paths.activities({ q: 'service:sixpane audit.action:*', range: { span: '30d' } })}>
          an event
        </a>
        .
      </p>
      {entries.length === 0 ? (
        <p>No actions yet.</p>
      ) : (
        <ScrollArea label="Actions">
          <table>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">User</th>
                <th scope="col">Action</th>
                <th scope="col">Details</th>
              </tr>
            </thead>
            <tbody>
              {entries.map(({ id, atMs, user, action, details }) => (
                <tr key={id}>
                  <td>
                    <Ago ms={atMs} />
                  </td>
                  <td>
                    <bdi>{user === null ? '–' : plainText(user)}</bdi>
                  </td>
                  <td>{action}</td>
                  <td>
                    <bdi>{plainText(details)}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
    </Section>
  )
}
