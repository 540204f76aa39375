import type { Facet, FacetValue } from '../../../shared/content.ts'
import { formatCount, formatShortCount } from '../../../shared/format.ts'
import { Icon } from '../../components/icon.tsx'
import { plainText } from '../../components/plain-text.ts'

/** The most frequent values of the fields that people filter by; each can be asked for or left out. */
export function Facets({ facets }: { facets: Facet[] }) {
  const known = facets.filter(({ values }) => values.length > 0)
  if (known.length === 0) return null
  return (
    <section className="facets" id="filters" aria-labelledby="filters-title">
      <h2 id="filters-title" className="visually-hidden">
        Filters
      </h2>
      {known.map(facet => (
        <div key={facet.field} className="facet">
          <h3>{facet.label}</h3>
          <ul>
            {facet.values.map(value => (
              <Value key={value.value} facet={facet} value={value} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

function Value({ facet: { label }, value: { value, count, state, includeHref, excludeHref } }: ValueProps) {
  const text = plainText(value)
  const isOut = state === 'excluded'
  return (
    <li data-state={state}>
      <a className="facet-value" href={includeHref} aria-current={state === 'included' ? 'true' : undefined}>
        <span className="facet-text" title={text}>
          <bdi>{text}</bdi>
        </span>
        {count !== null && (
          <span className="facet-count" title={formatCount(count)}>
            {formatShortCount(count)}
          </span>
        )}
      </a>
      <a
        className="facet-exclude"
        href={excludeHref}
        aria-label={isOut ? `Let ${label} ${text} in again` : `Without ${label} ${text}`}
        title={isOut ? 'Let in again' : 'Without this value'}
      >
        <Icon name={isOut ? 'include' : 'exclude'} />
      </a>
    </li>
  )
}

type ValueProps = { facet: Facet; value: FacetValue }
