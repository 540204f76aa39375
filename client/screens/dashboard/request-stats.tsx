import { formatCount, formatDuration, formatRate, formatRatio, pluralise } from '../../../shared/format.ts'
import { paths } from '../../../shared/paths.ts'
import { periodWords } from '../../../shared/range.ts'
import { requestsHref, slowRequestsHref } from '../../../shared/request-search.ts'
import type { DashboardOverview } from '../../../shared/screens/dashboard.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Section } from '../../components/section.tsx'
import { Stat } from '../../components/stat.tsx'
import { viewOf } from './dashboard-view.ts'
import {
  countWords,
  describeChange,
  describeErrorRateChange,
  durationWords,
  rateWords,
} from './describe-change.ts'

const percentiles = [
  { key: 'p50Ms', label: 'p50', share: 50, isLinked: false },
  { key: 'p95Ms', label: 'p95', share: 95, isLinked: true },
  { key: 'p99Ms', label: 'p99', share: 99, isLinked: true },
] as const

/** The metrics for the window, each with its previous value. */
export function RequestStats({ content }: { content: DashboardOverview }) {
  const { now, before, compare, range, window, service } = content
  const highestRate = Math.max(now.rate, before?.rate ?? 0)
  const filter = service === null ? {} : { service }
  const errors = pluralise(now.errors, 'failed request')
  return (
    <Section
      title={before === null ? 'Overview' : `Overview vs. previous ${periodWords(range)}`}
      id="stats"
      actions={
        <>
          {before !== null && (
            <Chip
              href={paths.dashboard({ ...viewOf(content), compare: compare ? 'off' : undefined })}
              active={compare}
            >
              Compare in charts
            </Chip>
          )}
          {now.errors > 0 && <ButtonLink href={requestsHref(filter, window, 'errors')}>{errors}</ButtonLink>}
          <ButtonLink href={requestsHref(filter, window)}>View requests</ButtonLink>
        </>
      }
    >
      {before === null && (
        <p className="dashboard-uncompared muted">
          Not compared with the previous {periodWords(range)}
          {content.isBeforeStored
            ? ', which had requests for only part of the time.'
            : ', because events from part of that time are not stored.'}
        </p>
      )}
      <div className="dashboard-figures">
        <Stat
          label="Requests"
          value={formatCount(now.requests)}
          change={before && describeChange(now.requests, before.requests, countWords)}
          before={before === null ? undefined : formatCount(before.requests)}
        />
        <Stat
          label="Rate"
          value={formatRate(now.rate, highestRate)}
          change={before && describeChange(now.rate, before.rate, rateWords)}
          before={before === null ? undefined : formatRate(before.rate, highestRate)}
        />
        <Stat
          label="Error rate"
          title="Share of 5xx responses"
          value={formatRatio(now.errorRatio)}
          change={before && describeErrorRateChange(now, before)}
          before={before === null ? undefined : formatRatio(before.errorRatio)}
        />
        {percentiles.map(({ key, label, share, isLinked }) => {
          const ms = now[key]
          const value = formatDuration(ms)
          const link =
            isLinked && ms !== null
              ? {
                  href: slowRequestsHref(filter, window, ms),
                  label: `Requests taking about ${value} or longer, in the log`,
                }
              : undefined
          return (
            <Stat
              key={key}
              label={label}
              title={`${share}% of requests were at least this fast (accurate to 1%)`}
              value={value}
              link={link}
              change={before && describeChange(ms, before[key], durationWords)}
              before={before === null ? undefined : formatDuration(before[key])}
            />
          )
        })}
      </div>
    </Section>
  )
}
