import type { DeliveryRow } from '../../../shared/screens/settings.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Notice } from '../../components/notice.tsx'
import { ScrollArea } from '../../components/scroll-area.tsx'
import { Ago } from '../../components/time.tsx'

const kinds: Record<DeliveryRow['kind'], string> = {
  new: 'New failure',
  returned: 'Regression',
  ratio: 'Error rate',
  test: 'Test',
}
const tones: Record<DeliveryRow['state'], Tone> = { waiting: 'warn', delivered: 'ok', failed: 'bad' }

/** The result of the test message that was just sent. */
export function TestOutcome({ deliveries }: { deliveries: DeliveryRow[] }) {
  const test = deliveries.find(({ kind }) => kind === 'test')
  if (test === undefined) return null
  if (test.state === 'delivered') {
    return <Notice tone="ok" title={`Test delivered (HTTP ${test.status})`} />
  }
  if (test.state === 'waiting') {
    return <Notice tone="warn" title="No response to the test message yet. Reload this page to check." />
  }
  return (
    <Notice tone="bad" title="Test not delivered">
      <bdi>{test.problem}</bdi>
    </Notice>
  )
}

/** The newest messages of a webhook. */
export function Deliveries({ name, deliveries }: { name: string; deliveries: DeliveryRow[] }) {
  const [newest] = deliveries
  if (newest === undefined) return <p className="muted">No messages yet</p>
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
              <th scope="col">Time</th>
              <th scope="col">State</th>
              <th scope="col" className="num">
                Attempts
              </th>
              <th scope="col">Response</th>
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
                      Next attempt <Ago ms={delivery.nextMs} />.
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
