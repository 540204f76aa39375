import { failureStates } from '../../../shared/failure.ts'
import { type DevelopmentView, paths } from '../../../shared/paths.ts'
import { type Range, spanWords } from '../../../shared/range.ts'
import type { DevelopmentFailures } from '../../../shared/screens/development.ts'
import { Chip } from '../../components/chip.tsx'
import { FailureList } from '../../components/failure-list.tsx'
import { EmptyState } from '../../components/notice.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { Section } from '../../components/section.tsx'

/** The failures in the range, with filters. */
export function Failures({ content }: { content: DevelopmentFailures }) {
  const { range, sort, state, failures, more, selected } = content
  const failure = selected?.id
  const view = { failure, ...listViewOf(content) }
  return (
    <Section
      title="Failures"
      id="failures"
      count={more ? `first ${failures.length}` : failures.length}
      actions={
        <>
          <Chip href={paths.development({ ...view, sort: undefined })} active={sort === 'newest'}>
            Newest
          </Chip>
          <Chip href={paths.development({ ...view, sort: 'frequent' })} active={sort === 'frequent'}>
            Most frequent
          </Chip>
          <RangePicker
            range={range}
            hrefFor={each => paths.development({ ...view, range: each })}
            action={paths.development()}
            hidden={{
              ...(failure === undefined ? {} : { failure }),
              ...(view.sort === undefined ? {} : { sort: view.sort }),
              ...(view.state === undefined ? {} : { state: view.state }),
            }}
          />
        </>
      }
    >
      <StateFilter
        content={content}
        hrefFor={each => paths.development({ ...view, state: stateParam(each) })}
      />
      {failures.length === 0 ? (
        <NoFailures content={content} />
      ) : (
        <FailureList
          failures={failures}
          hrefFor={({ id }) => paths.development({ ...view, failure: id })}
          window={content.window}
          selected={failure}
          caption={`${listName(state)}, ${sort === 'newest' ? 'newest' : 'most frequent'} first, ${during(range)}`}
        />
      )}
    </Section>
  )
}

/** Which failures the page lists. */
export type ListView = Pick<DevelopmentView, 'sort' | 'state' | 'range'>

/** Defaults are omitted from URLs. */
export function listViewOf({
  range,
  sort,
  state,
}: Pick<DevelopmentFailures, 'range' | 'sort' | 'state'>): ListView {
  return { sort: sort === 'newest' ? undefined : sort, state: stateParam(state), range }
}

type State = DevelopmentFailures['state']

/** `open` is the default, so URLs omit it. */
function stateParam(state: State): State | undefined {
  return state === 'open' ? undefined : state
}

function listName(state: State): string {
  return state === 'all' ? 'Failures' : `${stateNames[state]} failures`
}

const stateNames: Record<State, string> = { open: 'Open', resolved: 'Resolved', muted: 'Muted', all: 'All' }

function StateFilter(props: { content: DevelopmentFailures; hrefFor: (state: State) => string }) {
  const { state, states } = props.content
  const all = failureStates.reduce((sum, each) => sum + states[each], 0)
  return (
    <nav className="failures-states" aria-label="Filter by state">
      {([...failureStates, 'all'] as const).map(each => (
        <Chip
          key={each}
          href={props.hrefFor(each)}
          active={each === state}
          count={each === 'all' ? all : states[each]}
        >
          {stateNames[each]}
        </Chip>
      ))}
    </nav>
  )
}

function NoFailures({ content: { range, state } }: { content: DevelopmentFailures }) {
  const title = `No ${state === 'all' ? 'failures' : listName(state).toLowerCase()} in the ${during(range)}`
  if (state === 'resolved' || state === 'muted') {
    return (
      <EmptyState title={title}>
        <p>
          Only failures that occurred in this time range are listed:{' '}
          <a href={paths.development({ state, range: { span: '30d' } })}>show the last 30 days</a>.
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

export function during(range: Range): string {
  return 'span' in range ? spanWords(range.span) : 'time shown'
}
