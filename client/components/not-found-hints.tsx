import { dayMs } from '../../shared/duration-units.ts'
import { formatBytes, pluralise } from '../../shared/format.ts'
import type { NotFoundHintsData } from '../../shared/not-found-hints.ts'
import { paths } from '../../shared/paths.ts'
import { plainText } from './plain-text.ts'
import { Ago, Time } from './time.tsx'

/** Possible reasons why a digest was not found. */
export function NotFoundHints({ hints }: { hints: NotFoundHintsData }) {
  const { services, isLimited } = hints
  return (
    <ul className="not-found-hints">
      <li>
        Check that the digest is complete: it’s the text after “Digest:” on the error page.{' '}
        {isLimited
          ? 'Only events of the services that you may see were searched.'
          : 'All stored events were searched.'}
      </li>
      <li>
        <Expired hints={hints} />
      </li>
      <li>
        Check that the service is connected.{' '}
        {services.length === 0 ? (
          isLimited ? (
            'No events of the services that you may see are stored.'
          ) : (
            'No service has sent events yet.'
          )
        ) : (
          <>
            Last seen:{' '}
            {services.map(({ service, lastSeenMs }, index) => (
              <span key={service}>
                {index > 0 && ', '}
                <bdi>{plainText(service)}</bdi> <Ago ms={lastSeenMs} />
              </span>
            ))}
            .
          </>
        )}{' '}
        <a href={paths.development({ view: 'connect' })}>Connect a service</a>
      </li>
    </ul>
  )
}

/** Says how long events are stored. */
export function Expired({ hints: { maxAgeMs, maxBytes, oldestMs } }: { hints: NotFoundHintsData }) {
  return (
    <>
      The event may have expired: events are <a href={paths.settings()}>kept</a> for{' '}
      {pluralise(maxAgeMs / dayMs, 'day')} (max {formatBytes(maxBytes)}).{' '}
      {oldestMs !== null && (
        <>
          The oldest is from <Time ms={oldestMs} precision="minute" /> (<Ago ms={oldestMs} />
          ).
        </>
      )}
    </>
  )
}
