import { type LogEvent, ownService } from '../../../shared/event.ts'
import { paths } from '../../../shared/paths.ts'
import { ownEventsTerm, withTerm } from '../../../shared/query.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { plainText } from '../../components/plain-text.ts'
import { hrefAround } from './links.ts'

const times = [
  { ms: 30_000, words: '30 s' },
  { ms: 5 * 60_000, words: '5 min' },
] as const

/**
 * Links to the log around the open event, for all services or only for the event's service. Without JavaScript, also links
 * to the event.
 */
export function EventContext({ event, content }: { event: LogEvent; content: ActivitiesContent }) {
  const serviceTerm = withTerm('', 'service', event.service)
  return (
    <nav className="activities-around" aria-label="Show context">
      <h3>Show context</h3>
      <ul>
        {[event.service === ownService ? ownEventsTerm : '', serviceTerm].map(q => (
          <li key={q}>
            {q === serviceTerm ? (
              <>
                Only <bdi>{plainText(event.service)}</bdi>
              </>
            ) : (
              'All services'
            )}
            :{' '}
            {times.map(({ ms, words }) => (
              <a
                key={words}
                href={hrefAround(content, event, q, ms)}
                aria-current={isCurrent(content, q, ms) ? 'true' : undefined}
              >
                ± {words}
                <span className="visually-hidden">
                  {' '}
                  {q === serviceTerm ? `in ${event.service}` : 'in all services'}
                </span>
              </a>
            ))}
          </li>
        ))}
        {/* Instead of “Copy link”, which needs JavaScript. */}
        <li className="without-script">
          <a href={`${paths.activities({ event: event.id })}#event`}>Link to this event</a>
        </li>
      </ul>
    </nav>
  )
}

function isCurrent({ q, range }: ActivitiesContent, contextQuery: string, aroundMs: number): boolean {
  return q === contextQuery && !('span' in range) && range.toMs - range.fromMs === 2 * aroundMs
}
