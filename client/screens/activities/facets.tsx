import { formatCount, formatShortCount } from '../../../shared/format.ts'
import { paths, rangeQuery } from '../../../shared/paths.ts'
import type { ActivitiesContent, Facet, FacetValue } from '../../../shared/screens/activities.ts'
import { Icon } from '../../components/icon.tsx'
import { isolated } from '../../components/isolated.tsx'
import { plainText } from '../../components/plain-text.ts'
import { HiddenFields } from '../../components/search-box.tsx'
import { facetHref } from './facet-links.ts'

/** Returns the facets to show: all with values, and the one in which the visitor is searching. */
export function shownFacets({ facets }: Pick<ActivitiesContent, 'facets'>): Facet[] {
  return facets.filter(({ values, find }) => values.length > 0 || find !== null)
}

/** The most frequent values of common fields, each with links to include or exclude it. */
export function Facets({ content }: { content: ActivitiesContent }) {
  const shown = shownFacets(content)
  if (shown.length === 0) return null
  return (
    <section className="facets" id="filters" aria-labelledby="filters-title">
      <h2 id="filters-title" className="visually-hidden">
        Filters
      </h2>
      {shown.map(facet => (
        <div key={facet.field} className="facet">
          <h3>{facet.label}</h3>
          {facet.find !== null && <FacetSearch facet={facet} content={content} />}
          <ul>
            {facet.values.map(value => (
              <Value key={value.value} facet={facet} value={value} content={content} />
            ))}
          </ul>
          {facet.href !== null && (
            <a className="facet-more" href={`${facet.href}#filters`}>
              {facet.find === null
                ? `Show all ${facet.label.toLowerCase()} values`
                : 'Show only the most frequent'}
            </a>
          )}
        </div>
      ))}
    </section>
  )
}

/** A search within the values of a field. */
function FacetSearch({
  facet: { field, label, find, values },
  content,
}: {
  facet: Facet
  content: ActivitiesContent
}) {
  const { q, range, urlColumns } = content
  const hidden = {
    ...(q === '' ? {} : { q }),
    ...rangeQuery(range),
    ...(urlColumns === undefined ? {} : { columns: urlColumns }),
    facet: field,
  }
  return (
    <form action={paths.activities()} method="get">
      <HiddenFields values={hidden} />
      <input
        type="search"
        className="facet-search"
        name="find"
        defaultValue={find ?? ''}
        aria-label={`Search in ${label.toLowerCase()}`}
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
      />
      {values.length === 0 && <p className="muted">No matching values.</p>}
    </form>
  )
}

function Value({ facet: { field, label }, value: { value, count, state }, content }: ValueProps) {
  const text = plainText(value)
  const isIncluded = state === 'included'
  const isExcluded = state === 'excluded'
  return (
    <li data-state={state === 'none' ? undefined : state}>
      <a
        className="facet-value"
        href={facetHref(content, field, value, false, isIncluded)}
        aria-current={isIncluded ? 'true' : undefined}
      >
        <span className="facet-text" title={text}>
          {isolated(text)}
        </span>
        {count !== null && (
          <span className="facet-count" title={count < 1000 ? undefined : formatCount(count)}>
            {formatShortCount(count)}
          </span>
        )}
      </a>
      <a
        className="facet-exclude"
        href={facetHref(content, field, value, true, isExcluded)}
        aria-label={isExcluded ? `Stop excluding ${label} ${text}` : `Exclude ${label} ${text}`}
        title={isExcluded ? 'Stop excluding' : 'Exclude this value'}
      >
        <Icon name={isExcluded ? 'include' : 'exclude'} />
      </a>
    </li>
  )
}

type ValueProps = { facet: Facet; value: FacetValue; content: ActivitiesContent }
