import { type EnvironmentRow, settingsSections } from '../../../shared/screens/settings.ts'
import { Section } from '../../components/section.tsx'

/** All settings of the service, with links to the forms that can change them. */
export function Environment({ rows }: { rows: EnvironmentRow[] }) {
  return (
    <Section title={settingsSections.service} id="service">
      <p className="muted prose">
        Sixpane’s environment variables. A change takes effect after a restart, unless the variable has a
        “Change” link.
      </p>
      <table className="settings-server">
        <caption className="visually-hidden">Environment variables</caption>
        <thead>
          <tr>
            <th scope="col">Variable</th>
            <th scope="col">Value</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ variable, value, meaning, section, environmentValue }) => (
            <tr key={variable}>
              <th scope="row">
                <code>{variable}</code>
              </th>
              <td className="settings-value">
                <bdi>{value}</bdi>
              </td>
              <td className="settings-meaning">
                {meaning.replaceAll('`', '')}
                {environmentValue !== null && (
                  <>
                    . <strong>Changed here.</strong> Environment: <code>{environmentValue}</code>
                  </>
                )}
                {section !== null && (
                  <>
                    .{' '}
                    <a href={`#${section}`} aria-label={`Change ${variable}`}>
                      Change
                    </a>
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
