import type { Contents } from '../../../shared/page.ts'
import { Section } from '../../components/section.tsx'

/** Every variable of the service: those that the environment alone decides, and where the others can be changed. */
export function ServerSettings({ server }: Pick<Contents['settings'], 'server'>) {
  return (
    <Section title="Environment" id="service">
      <p className="muted prose">
        What the variables of the process say, for everyone. Where nothing here changes one, set it and start
        Sixpane again.
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
          {server.map(({ name, value, meaning, part, environment }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td className="settings-value">
                <bdi>{value}</bdi>
              </td>
              <td className="settings-meaning">
                {meaning.replaceAll('`', '')}
                {environment !== null && (
                  <>
                    . <strong>Changed here</strong>: the environment says <code>{environment}</code>
                  </>
                )}
                {part !== null && (
                  <>
                    .{' '}
                    <a href={`#${part}`} aria-label={`Change ${name}`}>
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
