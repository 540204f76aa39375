import { paths } from '../../../shared/paths.ts'
import { rangeWords } from '../../../shared/range.ts'
import type { ActivitiesContent } from '../../../shared/screens/activities.ts'
import { EmptyState } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'
import { hrefOfSearch } from './links.ts'

/** Explains an empty log and suggests a longer range, fewer terms, or connecting the first service. */
export function NoEvents({ content }: { content: ActivitiesContent }) {
  const { q, range, total, zoomOutHref, withoutTerms, ownEvents, noServices } = content
  const during = `in the ${rangeWords(range)}`
  if (total > 0) {
    return (
      <EmptyState title="No more events">
        <p>
          <a href={hrefOfSearch(content, q)}>Back to the latest events</a>
        </p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title={q === '' ? `No events ${during}` : `No matching events ${during}`}>
      <ul className="activities-help">
        {zoomOutHref !== null && (
          <li>
            <a href={zoomOutHref}>Search a longer time range</a>
          </li>
        )}
        {withoutTerms.map(({ term, href }) => (
          <li key={term}>
            <a href={href}>
              Remove <code dir="auto">{plainText(term)}</code> from the search
            </a>
          </li>
        ))}
        {ownEvents !== null && !ownEvents.shown && (
          <li>
            <a href={ownEvents.href}>Show Sixpane’s own events</a>
          </li>
        )}
        {noServices && (
          <li>
            <a href={paths.development({ view: 'connect' })}>Connect a service</a>
          </li>
        )}
      </ul>
    </EmptyState>
  )
}
