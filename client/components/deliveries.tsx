import type { DeliveryRow } from '../../shared/screens/settings.ts'
import { Badge, type Tone } from './badge.tsx'
import { ScrollArea } from './scroll-area.tsx'
import { Ago } from './time.tsx'

const kinds: Record<DeliveryRow['kind'], string> = {
  new: 'New failure',
  returned: 'Returned failure',
  ratio: 'Error rate',
  test: 'Test',
}
const tones: Record<DeliveryRow['state'], Tone> = { waiting: 'warn', delivered: 'ok', failed: 'bad' }

/** A webhook's latest messages: a one-line summary of the newest message, and a table of all messages. */
export function Deliveries({ name, deliveries }: { name: string; deliveries: DeliveryRow[] }) {
  const [newest] = deliveries
  if (newest === undefined) return <p className="muted">No messages yet</p>
  return (
    <details className="deliveries">
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
