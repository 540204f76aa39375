import { formatBytes } from '../../shared/format.ts'
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
        Is it whole? It stands behind “Digest:” on the failure page, and is easily cut when copied. Every kept
        event was looked at, whatever the time range.
      </li>
      <li>
        Is it old? <Retention kept={kept} />
      </li>
      <li>
        Does the service that showed it send its lines here?{' '}
        {services.length === 0 ? (
          'None has sent any yet.'
        ) : (
          <>
            Heard of last:{' '}
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
      The <a href={paths.settings()}>retention</a> keeps events for {pluralise(maxAgeMs / 86_400_000, 'day')},{' '}
      {formatBytes(maxBytes)} at most.{' '}
      {oldestMs !== null && (
        <>
          The oldest one is of <Time ms={oldestMs} precision="minute" /> (<Ago ms={oldestMs} />
          ).
        </>
      )}
    </>
  )
}

function pluralise(count: number, word: string): string {
  return `${Number(count.toFixed(2))} ${word}${count === 1 ? '' : 's'}`
}
