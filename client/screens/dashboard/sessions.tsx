import { formatCount, formatShare, pluralise } from '../../../shared/format.ts'
import type { Window } from '../../../shared/range.ts'
import { crashedSessionsHref } from '../../../shared/request-search.ts'
import type { DashboardOverview } from '../../../shared/screens/dashboard.ts'
import { Isolated } from '../../components/isolated.tsx'
import { plainText } from '../../components/plain-text.ts'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { Section } from '../../components/section.tsx'

type Row = DashboardOverview['sessions'][number]

/** The share of sessions without a crash, by release. Only Sentry's SDKs report sessions. */
export function Sessions({ rows, during, window }: { rows: Row[]; during: string; window: Window }) {
  if (rows.length === 0) return null
  const caption = `Sessions by release, ${during}`
  return (
    <Section title="Sessions" id="sessions" count="by release">
      <ScrollArea label={caption}>
        <table className="dashboard-counts dashboard-sessions">
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {['Release', 'Service', 'Sessions', 'Crashed', 'Crash-free'].map(name => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(row => (
              <SessionRow key={`${row.service}\n${row.release ?? ''}`} row={row} window={window} />
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </Section>
  )
}

function SessionRow({ row, window }: { row: Row; window: Window }) {
  const { service, release, started, crashed } = row
  const name = release ?? '(no release)'
  return (
    <tr>
      <th scope="row">
        <Isolated text={name} />
      </th>
      <td>
        <Isolated text={service} />
      </td>
      <td>{formatCount(started)}</td>
      <td>
        {crashed === 0 ? (
          '0'
        ) : (
          <a
            href={crashedSessionsHref(row, window)}
            aria-label={`${pluralise(crashed, 'crashed session')} of ${plainText(service)} ${plainText(name)} in the log`}
          >
            {formatCount(crashed)}
          </a>
        )}
      </td>
      <td>{started === 0 ? '–' : formatShare(Math.max(started - crashed, 0), started)}</td>
    </tr>
  )
}
