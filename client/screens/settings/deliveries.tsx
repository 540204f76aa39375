import type { DeliveryRow } from '../../../shared/screens/settings.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Notice } from '../../components/notice.tsx'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { Ago } from '../../components/time.tsx'

const kinds: Record<DeliveryRow['kind'], string> = {
  new: 'New failure',
  returned: 'Returned failure',
  ratio: 'Error ratio',
  test: 'Test',
}
const tones: Record<DeliveryRow['state'], Tone> = { waiting: 'warn', delivered: 'ok', failed: 'bad' }

/** How the test that was just sent went, in sight where its button is. */
export function TestOutcome({ deliveries }: { deliveries: DeliveryRow[] }) {
  const test = deliveries.find(({ kind }) => kind === 'test')
  if (test === undefined) return null
  if (test.state === 'delivered') {
    return <Notice tone="ok" title={`The test message arrived: answered with ${test.status}.`} />
  }
  if (test.state === 'waiting') {
    return (
      <Notice
        tone="warn"
        title="No answer to the test message yet. Load this page again to see how it went."
      />
    )
  }
  return (
    <Notice tone="bad" title="The test message did not arrive.">
      <bdi>{test.problem}</bdi>
    </Notice>
  )
}

/** What became of the newest messages of a webhook. */
export function Deliveries({ name, deliveries }: { name: string; deliveries: DeliveryRow[] }) {
  const [newest] = deliveries
  if (newest === undefined) return <p className="muted">No message yet.</p>
  return (
    <details className="settings-deliveries">
      <summary>
        <span>
          Last message: {kinds[newest.kind]}, <Ago ms={newest.createdMs} />
        </span>{' '}
        <State delivery={newest} />
      </summary>
      <ScrollArea label={`Messages to ${name}`}>
        <table>
          <caption className="visually-hidden">Messages to {name}, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Message</th>
              <th scope="col">When</th>
              <th scope="col">State</th>
              <th scope="col" className="num">
                Tries
              </th>
              <th scope="col">Answer</th>
            </tr>
          </thead>
          <tbody>
            {deliveries.map(delivery => (
              <tr key={delivery.id}>
                <td>{kinds[delivery.kind]}</td>
                <td>
                  <Ago ms={delivery.createdMs} />
                </td>
                <td>
                  <State delivery={delivery} />
                </td>
                <td className="num">{delivery.attempts}</td>
                <td>
                  <bdi>{delivery.problem ?? delivery.status ?? '–'}</bdi>
                  {delivery.nextMs !== null && delivery.attempts > 0 && (
                    <>
                      {' '}
                      Next try <Ago ms={delivery.nextMs} />.
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollArea>
    </details>
  )
}

function State({ delivery: { state } }: { delivery: DeliveryRow }) {
  return <Badge tone={tones[state]}>{state}</Badge>
}
