import { formatCount, formatDuration, formatRate, formatRatio } from '../../../shared/format.ts'
import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { periodWords } from '../../../shared/range.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Section } from '../../components/section.tsx'
import { Stat } from '../../components/stat.tsx'
import { viewOf } from './dashboard-view.ts'
import {
  countWords,
  describeChange,
  describeRatioChange,
  durationWords,
  rateWords,
} from './describe-change.ts'

const percentiles = [
  { key: 'p50Ms', label: 'p50', title: 'Half of the requests took no longer' },
  { key: 'p95Ms', label: 'p95', title: '19 of 20 requests took no longer' },
  { key: 'p99Ms', label: 'p99', title: '99 of 100 requests took no longer' },
] as const

/** The numbers of the window, each with its value in the previous period. */
export function RequestStats({ content }: { content: Contents['dashboard'] }) {
  const { now, before, compare, range } = content
  const errors = now.errors === 1 ? '1 failed request' : `${formatCount(now.errors)} failed requests`
  return (
    <Section
      title={`Now, and the ${periodWords(range)} before`}
      id="figures"
      actions={
        <>
          <Chip
            href={paths.dashboard({ ...viewOf(content), compare: compare ? 'off' : undefined })}
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
        <Stat
          label="Requests"
          value={formatCount(now.requests)}
          change={describeChange(now.requests, before.requests, countWords)}
          before={formatCount(before.requests)}
        />
        <Stat
          label="Rate"
          value={formatRate(now.rate)}
          change={describeChange(now.rate, before.rate, rateWords)}
          before={formatRate(before.rate)}
        />
        <Stat
          label="Error ratio"
          title="Share of requests answered with a status of 500 or above"
          value={formatRatio(now.errorRatio)}
          change={describeRatioChange(now.errorRatio, before.errorRatio)}
          before={formatRatio(before.errorRatio)}
        />
        {percentiles.map(({ key, label, title }) => (
          <Stat
            key={key}
            label={label}
            title={title}
            value={formatDuration(now[key])}
            change={describeChange(now[key], before[key], durationWords)}
            before={formatDuration(before[key])}
          />
        ))}
      </div>
    </Section>
  )
}
