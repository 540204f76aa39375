import { formatBytes, pluralise } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'
import type { KeptEvents } from '../../shared/stored-events.ts'
import { plainText } from './plain-text.ts'
import { Ago, Time } from './time.tsx'

/** Why a digest or failure may not be found: a truncated digest, the retention, a service that is not connected. */
export function NotFoundHints({ kept }: { kept: KeptEvents }) {
  const { services } = kept
  return (
    <ul className="not-found-hints">
      <li>
        Check that the digest is complete: it’s the text after “Digest:” on the error page. All stored events
        were searched.
      </li>
      <li>
        It may have expired. <Retention kept={kept} />
      </li>
      <li>
        Check that the service is connected.{' '}
        {services.length === 0 ? (
          'No service has sent events yet.'
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
        <a href={`${paths.development()}#connect`}>Connect a service</a>
      </li>
    </ul>
  )
}

function Retention({ kept: { maxAgeMs, maxBytes, oldestMs } }: { kept: KeptEvents }) {
  return (
    <>
      Events are <a href={paths.settings()}>kept</a> for {pluralise(maxAgeMs / 86_400_000, 'day')} (max{' '}
      {formatBytes(maxBytes)}).{' '}
      {oldestMs !== null && (
        <>
          The oldest is from <Time ms={oldestMs} precision="minute" /> (<Ago ms={oldestMs} />
          ).
        </>
      )}
    </>
  )
}
