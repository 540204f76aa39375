import type { Contents } from '../../../shared/content.ts'
import { paths } from '../../../shared/paths.ts'
import { type Range, spanWords } from '../../../shared/range.ts'
import { Chip } from '../../components/chip.tsx'
import { FailureList } from '../../components/failure-list.tsx'
import { Empty } from '../../components/notice.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { Section } from '../../components/section.tsx'

/** The failures of the range, each a link to all that is known of it. */
export function Failures({ content }: { content: Contents['development'] }) {
  const { range, sort, failures, more, selected } = content
  const failure = selected?.fingerprint
  const view = { failure, sort: sort === 'newest' ? undefined : sort, range }
  return (
    <Section
      title="Failures"
      id="failures"
      count={more ? `the first ${failures.length}` : failures.length}
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
            }}
          />
        </>
      }
    >
      {failures.length === 0 ? (
        <Empty title={`No failures in the ${during(range)}`}>
          <p>
            An event with an exception or a digest shows up here, together with all the others of the same
            fault. Take a longer time range, or <a href="#connect">connect a service</a>.
          </p>
        </Empty>
      ) : (
        <FailureList
          failures={failures}
          hrefFor={({ fingerprint }) => paths.development({ ...view, failure: fingerprint })}
          selected={failure}
          caption={`Failures, ${sort === 'newest' ? 'newest' : 'most frequent'} first, ${during(range)}`}
        />
      )}
    </Section>
  )
}

export function during(range: Range): string {
  return 'span' in range ? spanWords[range.span] : 'time shown'
}
