import { type KeyboardEvent, useRef } from 'react'
import { formatCount, formatShortCount } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import type { ActivitiesContent, Facet, FacetValue } from '../../../shared/screens/activities.ts'
import { Icon } from '../../components/icon.tsx'
import { isAscii, plainText } from '../../components/plain-text.ts'
import { queryOf } from '../../components/query-of.ts'
import { HiddenFields } from '../../components/search-box.tsx'
import { useFieldValue } from '../../components/use-field-value.ts'
import { useOneTabStop } from '../../components/use-one-tab-stop.ts'
import { hrefOfExcluded, hrefOfToggled } from './facet-links.ts'

/** The number of characters that always fit into the facets column. */
const shortLength = 13
/** The number of characters at the end of a longer value that are always shown. */
const endLength = 6

/** Whether there are facets, or the visitor has filtered them. */
export function hasFacets({ facets, facetFind }: Pick<ActivitiesContent, 'facets' | 'facetFind'>): boolean {
  return facetFind !== '' || facets.some(isShown)
}

function isShown({ values, action }: Facet): boolean {
  return action !== undefined || values.length > 0
}

/**
 * The most frequent values of common fields, and of an attribute. The visitor can choose several values of a field, and
 * exclude values.
 */
export function Facets({ content }: { content: ActivitiesContent }) {
  if (!hasFacets(content)) return null
  const shown = content.facets.filter(isShown)
  return (
    <section className="facets" id="filters" aria-labelledby="filters-title">
      <h2 id="filters-title" className="visually-hidden">
        Filters
      </h2>
      <FacetSearch content={content} />
      {shown.map(facet => (
        <FacetValues key={facet.field} facet={facet} content={content} />
      ))}
      {shown.length === 0 && <p className="muted">No matching fields or values.</p>}
    </section>
  )
}

function FacetValues({ facet, content }: { facet: Facet; content: ActivitiesContent }) {
  const list = useRef<HTMLUListElement>(null)
  useOneTabStop(list)
  const highest = Math.max(...facet.values.map(({ count }) => count ?? 0))
  return (
    <details className="facet" open>
      <summary>
        <h3>{plainText(facet.label)}</h3>
      </summary>
      <ul ref={list} onKeyDown={moveFocus}>
        {facet.values.map(value => (
          <Value key={value.value} facet={facet} value={value} highest={highest} content={content} />
        ))}
      </ul>
      {facet.note && <p className="muted">{facet.note}</p>}
      {facet.href !== null && (
        <a className="facet-more" href={`${facet.href}#filters`}>
          {facet.action}
        </a>
      )}
    </details>
  )
}

/** Filters the fields and values. */
function FacetSearch({ content }: { content: ActivitiesContent }) {
  const { q, range, urlColumns, facets, facetFind } = content
  const field = useFieldValue<HTMLInputElement>(facetFind)
  const expanded = facets.find(facet => facet.expanded)
  return (
    <form action={`${paths.activities()}#filters`} method="get">
      <HiddenFields
        values={queryOf(paths.activities({ q, range, columns: urlColumns, facet: expanded?.field }))}
      />
      <input
        ref={field}
        type="text"
        className="facet-search"
        name="find"
        defaultValue={facetFind}
        aria-label="Filter fields and values"
        placeholder="Filter values"
        autoComplete="off"
        spellCheck={false}
      />
    </form>
  )
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 }

/** Up and Down move between the values or their Exclude links, Left and Right between a value and its Exclude link. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const step = steps[event.key]
  // The browser handles keys with a modifier: Alt+Left goes back.
  if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return
  event.preventDefault()
  // Some values have no Exclude link.
  const column = /Down|Up/.test(event.key) ? `.${document.activeElement?.className}` : ''
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>(`a${column}`)]
  links[links.findIndex(link => link.matches(':focus')) + step]?.focus()
}

function Value({ facet, value: { value, count, state, hasNoLink }, highest, content }: ValueProps) {
  const { field, label, term = field } = facet
  const text = plainText(value) || '(empty)'
  const isShort = text.length <= shortLength
  const isExcluded = state === 'excluded'
  const shortCount = count === null ? '' : formatShortCount(count)
  return (
    <li data-state={state === 'none' ? undefined : state}>
      {count !== null && count > 0 && (
        <svg className="facet-share" width={`${Math.round((count / highest) * 100)}%`} aria-hidden="true" />
      )}
      <a
        className="facet-value"
        href={hasNoLink ? undefined : hrefOfToggled(content, term, value)}
        aria-current={state === 'included' ? 'true' : undefined}
        aria-label={isShort || hasNoLink ? undefined : `${text} ${shortCount}`}
      >
        <span
          className="facet-text"
          dir={isAscii(text) ? undefined : 'auto'}
          title={isShort ? undefined : text}
        >
          {isShort || !isAscii(text) ? text : <Long text={text} />}
        </span>
        {count !== null && (
          <span className="facet-count" title={count < 1000 ? undefined : formatCount(count)}>
            {shortCount}
          </span>
        )}
      </a>
      {!hasNoLink && (
        <a
          className="facet-exclude"
          href={hrefOfExcluded(content, term, value, isExcluded)}
          aria-label={isExcluded ? `Stop excluding ${label} ${text}` : `Exclude ${label} ${text}`}
          title={isExcluded ? 'Stop excluding' : 'Exclude this value'}
        >
          <Icon name={isExcluded ? 'include' : 'exclude'} />
        </a>
      )}
    </li>
  )
}

type ValueProps = { facet: Facet; value: FacetValue; highest: number; content: ActivitiesContent }

/**
 * A value that is shortened in the middle if it is too long, because routes and names often differ only at the end. Only for
 * ASCII text, because the two parts of text with right-to-left letters would be in the wrong order.
 */
function Long({ text }: { text: string }) {
  return (
    <span className="facet-long">
      <span>{text.slice(0, -endLength)}</span>
      <span>{text.slice(-endLength)}</span>
    </span>
  )
}
