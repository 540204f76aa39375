import { formatCount, formatDuration, formatRate, formatRatio } from '../../../shared/format.ts'
import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { periodWords } from '../../../shared/range.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Figure } from '../../components/figure.tsx'
import { Section } from '../../components/section.tsx'
import { change, changeOfShare, ofCounts, ofDurations, ofRates } from './change.ts'
import { view } from './view.ts'

const percentiles = [
  { key: 'p50Ms', label: 'p50', title: 'Half of the requests took no longer' },
  { key: 'p95Ms', label: 'p95', title: '19 of 20 requests took no longer' },
  { key: 'p99Ms', label: 'p99', title: '99 of 100 requests took no longer' },
] as const

/** The figures of the window, each with what it was in the period before. */
export function RequestNumbers({ content }: { content: Contents['dashboard'] }) {
  const { now, before, compare, range } = content
  const errors = now.errors === 1 ? '1 failed request' : `${formatCount(now.errors)} failed requests`
  return (
    <Section
      title={`Now, and the ${periodWords(range)} before`}
      id="figures"
      actions={
        <>
          <Chip
            href={paths.dashboard({ ...view(content), compare: compare ? 'off' : undefined })}
            active={compare}
          >
            Compare in the charts
          </Chip>
          {now.errors > 0 && <ButtonLink href={content.errorsHref}>{errors}</ButtonLink>}
          <ButtonLink href={content.eventsHref}>All requests in the log</ButtonLink>
        </>
      }
    >
      <div className="dashboard-figures">
        <Figure
          label="Requests"
          value={formatCount(now.requests)}
          change={change(now.requests, before.requests, ofCounts)}
          before={formatCount(before.requests)}
        />
        <Figure
          label="Rate"
          value={formatRate(now.rate)}
          change={change(now.rate, before.rate, ofRates)}
          before={formatRate(before.rate)}
        />
        <Figure
          label="Error ratio"
          title="Share of requests answered with a status of 500 or above"
          value={formatRatio(now.errorRatio)}
          change={changeOfShare(now.errorRatio, before.errorRatio)}
          before={formatRatio(before.errorRatio)}
        />
        {percentiles.map(({ key, label, title }) => (
          <Figure
            key={key}
            label={label}
            title={title}
            value={formatDuration(now[key])}
            change={change(now[key], before[key], ofDurations)}
            before={formatDuration(before[key])}
          />
        ))}
      </div>
    </Section>
  )
}
