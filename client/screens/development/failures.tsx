import { type FailureRow, failureStates } from '../../../shared/failure.ts'
import { formatCount } from '../../../shared/format.ts'
import { type DevelopmentView, paths } from '../../../shared/paths.ts'
import { rangeWords } from '../../../shared/range.ts'
import type { DevelopmentFailures, FailureFilter } from '../../../shared/screens/development.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { FailureList } from '../../components/failure-list.tsx'
import { FilterSelect } from '../../components/filter-select.tsx'
import { EmptyState } from '../../components/notice.tsx'
import { plainText } from '../../components/plain-text.ts'
import { queryOf } from '../../components/query-of.ts'
import { RangePicker } from '../../components/range-picker.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { Section } from '../../components/section.tsx'
import { useMayChange } from '../../page.ts'
import { Confirmed } from './confirmed.tsx'
import { ChangeSelected, SelectAll, SelectFailure } from './selection.tsx'
import { useFailureKeys } from './use-failure-keys.ts'

/** The failures in the range, with filters. Selected failures can be changed together. */
export function Failures({ content }: { content: DevelopmentFailures }) {
  const { range, failures, first, total } = content
  const view = filterOf(content)
  useFailureKeys()
  return (
    <Section
      title="Failures"
      id="failures"
      count={
        failures.length < total
          ? `${formatCount(first)}–${formatCount(first - 1 + failures.length)} of ${formatCount(total)}`
          : total
      }
      actions={
        <RangePicker
          range={range}
          window={content.window}
          hrefFor={each => paths.development({ ...view, range: each })}
        />
      }
    >
      <div className="failures-filters">
        <Filter content={content} />
        <StateFilter content={content} />
      </div>
      {failures.length === 0 ? <NoFailures content={content} /> : <List content={content} />}
      <Confirmed confirmation={content.confirmation} />
    </Section>
  )
}

function List({ content }: { content: DevelopmentFailures }) {
  const { range, sort, state, failures } = content
  const view = filterOf(content)
  const mayChange = useMayChange()
  const list = (
    <>
      <FailureList
        failures={failures}
        hrefFor={({ id }) => paths.development({ ...pageOf(content), failure: id })}
        window={content.window}
        service={content.service}
        caption={`${listName(state)}, sorted by ${sortNames[sort]}, ${rangeWords(range)}`}
        sorting={{
          current: sort,
          hrefFor: each => paths.development({ ...view, sort: each === 'newest' ? undefined : each }),
        }}
        {...(mayChange && {
          selection: { all: <SelectAll />, of: (failure: FailureRow) => <SelectFailure failure={failure} /> },
        })}
      />
      <Pages content={content} />
    </>
  )
  return mayChange ? <ChangeSelected state={state}>{list}</ChangeSelected> : list
}

function Pages({ content }: { content: DevelopmentFailures }) {
  const { page, failures, first, total } = content
  if (failures.length === total) return null
  return (
    <nav className="pages" aria-label="Pages">
      {page > 1 && <ButtonLink href={paths.development(pageOf(content, -1))}>Previous</ButtonLink>}
      {first + failures.length <= total && (
        <ButtonLink href={paths.development(pageOf(content, 1))}>Next</ButtonLink>
      )}
    </nav>
  )
}

/** The URL parameters of the displayed page of the list, or of the page `step` pages after it. */
export function pageOf(content: FailureFilter, step = 0): DevelopmentView {
  const page = content.page + step
  return { ...filterOf(content), page: page === 1 ? undefined : page }
}

/** The URL parameters of the first page of the list. Default filters and the default order are omitted. */
export function filterOf({ range, sort, state, text, service }: FailureFilter): DevelopmentView {
  return {
    q: text || undefined,
    service: service ?? undefined,
    sort: sort === 'newest' ? undefined : sort,
    state: state === 'open' ? undefined : state,
    range,
  }
}

const sortNames = { newest: 'last seen', frequent: 'count', trend: 'trend', age: 'first seen' }

type State = DevelopmentFailures['state']

function listName(state: State): string {
  return state === 'all' ? 'Failures' : `${stateNames[state]} failures`
}

const stateNames: Record<State, string> = { open: 'Open', resolved: 'Resolved', muted: 'Muted', all: 'All' }

/** Filters by text and service. */
function Filter({ content }: { content: DevelopmentFailures }) {
  const { text, service, services, omittedServices } = content
  const options = [
    { value: '', label: 'All services' },
    ...services.map(name => ({ value: name, label: plainText(name) })),
  ]
  return (
    <SearchBox
      action={paths.development()}
      name="q"
      defaultValue={text}
      label="Filter failures"
      placeholder="Filter by error, digest, service or route"
      hidden={queryOf(paths.development({ ...filterOf(content), q: undefined, service: undefined }))}
    >
      {(services.length > 1 || service !== null) && (
        <FilterSelect
          label={omittedServices > 0 ? `Service (${omittedServices} more not listed)` : 'Service'}
          name="service"
          value={service ?? ''}
          options={options}
        />
      )}
    </SearchBox>
  )
}

function StateFilter({ content }: { content: DevelopmentFailures }) {
  const { state, states } = content
  const all = failureStates.reduce((sum, each) => sum + states[each], 0)
  return (
    <nav className="failures-states" aria-label="Filter by state">
      {([...failureStates, 'all'] as const).map(each => (
        <Chip
          key={each}
          href={paths.development({ ...filterOf(content), state: each === 'open' ? undefined : each })}
          active={each === state}
          count={each === 'all' ? all : states[each]}
        >
          {stateNames[each]}
        </Chip>
      ))}
    </nav>
  )
}

function NoFailures({ content }: { content: DevelopmentFailures }) {
  const { range, state, text, service } = content
  const title = `No ${state === 'all' ? 'failures' : listName(state).toLowerCase()} in the ${rangeWords(range)}`
  if (text !== '' || service !== null) {
    return (
      <EmptyState title={`${title} match the filter`}>
        <p>
          <a href={paths.development({ ...filterOf(content), q: undefined, service: undefined })}>
            Clear the filter
          </a>{' '}
          or select a longer time range.
        </p>
      </EmptyState>
    )
  }
  if (state === 'resolved' || state === 'muted') {
    return (
      <EmptyState title={title}>
        <p>
          Only failures that occurred in this time range are listed.{' '}
          <a href={paths.development({ state, range: { span: '30d' } })}>Show the last 30 days</a>.
        </p>
      </EmptyState>
    )
  }
  return (
    <EmptyState title={title}>
      <p>
        Failures appear here, grouped by cause. Select a longer time range, or{' '}
        <a href={paths.development({ view: 'connect' })}>connect a service</a>.
      </p>
    </EmptyState>
  )
}
