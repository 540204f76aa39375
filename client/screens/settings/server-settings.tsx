import type { Contents } from '../../../shared/content.ts'
import { Section } from '../../components/section.tsx'

/** The service's own settings, to read: the environment decides them, at the start. */
export function ServerSettings({ server, redacted }: Pick<Contents['settings'], 'server' | 'redacted'>) {
  return (
    <>
      <Section title="Service" id="service">
        <p className="muted prose">
          These come from the environment of the process and hold for everyone. To change one, set its
          variable and start Sixpane again.
        </p>
        <table className="settings-server">
          <caption className="visually-hidden">Settings of the service</caption>
          <thead>
            <tr>
              <th scope="col">Variable</th>
              <th scope="col">Value</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {server.map(({ name, value, meaning }) => (
              <tr key={name}>
                <th scope="row">
                  <code>{name}</code>
                </th>
                <td className="settings-value">
                  <bdi>{value}</bdi>
                </td>
                <td className="settings-meaning">{meaning.replaceAll('`', '')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Section>
      <Section title="Redaction" id="redaction">
        <p className="muted prose">
          The value of a field whose name ends in one of these words is replaced by <code>[redacted]</code>,
          at any depth, before an event is kept or written to standard output. So are tokens and passwords
          that stand in a message.
        </p>
        <ul className="settings-redacted">
          {redacted.map(name => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}
