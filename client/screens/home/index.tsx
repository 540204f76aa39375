import { Fragment } from 'react'
import { formatCount, pluralise } from '../../../shared/format.ts'
import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { type Span, spanWords } from '../../../shared/range.ts'
import type { ServiceRow, ServicesPage } from '../../../shared/screens/home.ts'
import { FailureList } from '../../components/failure-list.tsx'
import { Menu } from '../../components/menu.tsx'
import { EmptyState } from '../../components/notice.tsx'
import { RefreshControl } from '../../components/refresh-control.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { Section } from '../../components/section.tsx'
import { ServiceTable } from '../../components/service-table.tsx'
import { Connect } from './connect.tsx'
import { VerdictLine } from './verdict-line.tsx'

const homeSpans: readonly Span[] = ['15m', '1h', '6h', '24h', '7d', '30d']

/** Shows whether anything is wrong right now. */
export default function Home({ content }: { content: Contents['home'] }) {
  const { span, window, services, omitted, failures, page } = content
  const all = page === null ? undefined : 'all'
  const own = content.ownEvents === 'shown' ? 'shown' : undefined
  const during = spanWords(span)
  return (
    <div>
      <VerdictLine verdict={content.verdict} window={window} />
      <div className="home-tools">
        <div className="home-box">
          <SearchBox
            action={paths.activities()}
            name="q"
            label="Search by digest, request ID, trace ID or text"
            placeholder="Search by digest, request ID, trace ID or text"
          />
        </div>
        <div className="refresh-and-range">
          <RefreshControl />
          <Menu
            className="home-range"
            icon="clock"
            label={
              <>
                <span className="visually-hidden">Time range: </span>
                <span className="range-current">{during}</span>
              </>
            }
          >
            <ul>
              {homeSpans.map(each => (
                <li key={each}>
                  <a
                    href={paths.home({ range: each, services: all, own })}
                    aria-current={each === span ? 'true' : undefined}
                  >
                    {spanWords(each)}
                  </a>
                </li>
              ))}
            </ul>
          </Menu>
        </div>
      </div>
      {content.onlyOwn && <Connect snippets={content.connect} />}
      <div className="home-columns">
        {services.length > 0 && (
          <Section title="Services" id="services" count={page?.total ?? sum(omitted) + services.length}>
            <ServiceTable
              services={services}
              range={{ span }}
              window={window}
              caption={`Services, ${during}`}
            />
            {omitted.length > 0 && (
              <p className="home-rest">
                <a href={`${paths.home({ range: span, services: 'all', own })}#services`}>
                  Show {pluralise(sum(omitted), 'more service')}
                </a>{' '}
                ({omitted.map(({ state, count }) => `${formatCount(count)} ${stateWords[state]}`).join(', ')})
              </p>
            )}
            {content.ownEvents !== null && (
              <p className="home-rest">
                <a
                  href={`${paths.home({ range: span, services: all, own: own === undefined ? 'shown' : undefined })}#services`}
                >
                  {own === undefined ? 'Show' : 'Hide'} Sixpane’s own events
                </a>
              </p>
            )}
            {page !== null && <Pages page={page} listed={services.length} span={span} own={own} />}
          </Section>
        )}
        <Section
          title="Latest failures"
          id="failures"
          actions={<a href={paths.development({ range: { span } })}>All failures</a>}
        >
          {failures.length > 0 ? (
            <FailureList
              failures={failures}
              hrefFor={({ id }) => paths.development({ failure: id, range: { span } })}
              window={window}
              caption={`Latest failures, ${during}`}
            />
          ) : (
            <EmptyState title={`No open failures in the ${during}`}>
              <p>Failures appear here, grouped by cause.</p>
            </EmptyState>
          )}
          <HandledFailures content={content} />
        </Section>
      </div>
    </div>
  )
}

/** Shows which services are listed, and links to the other pages, the service search and the short list. */
function Pages(props: { page: ServicesPage; listed: number; span: Span; own: 'shown' | undefined }) {
  const { page, listed, span, own } = props
  const { number, count, first, total } = page
  const hrefOf = (to: number) => `${paths.home({ range: span, services: 'all', page: to, own })}#services`
  return (
    <p className="home-rest">
      {count > 1 && (
        <>
          Services {formatCount(first)} to {formatCount(first + listed - 1)} of {formatCount(total)}.{' '}
          {number > 1 && (
            <>
              <a href={hrefOf(number - 1)}>Previous services</a>{' '}
            </>
          )}
          {number < count && (
            <>
              <a href={hrefOf(number + 1)}>Next services</a>{' '}
            </>
          )}
          <a href={paths.activities({ range: { span }, facet: 'service' })}>Search services</a>{' '}
        </>
      )}
      <a href={paths.home({ range: span, own })}>Show fewer</a>
    </p>
  )
}

const stateWords: Record<ServiceRow['state'], string> = {
  failing: 'failing',
  degraded: 'degraded',
  ok: 'healthy',
  silent: 'silent',
}

function sum(counts: { count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0)
}

/** The numbers of resolved and muted failures that occurred in the range. */
function HandledFailures({ content: { otherFailures, span } }: { content: Contents['home'] }) {
  const states = (['resolved', 'muted'] as const).filter(state => otherFailures[state] > 0)
  if (states.length === 0) return null
  return (
    <p className="home-rest">
      Also in this time range:
      {states.map((state, index) => (
        <Fragment key={state}>
          {index === 0 ? ' ' : ', '}
          <a href={paths.development({ state, range: { span } })}>
            {formatCount(otherFailures[state])} {state}
          </a>
        </Fragment>
      ))}
    </p>
  )
}
