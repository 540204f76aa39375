import type { Contents } from '../../../shared/page.ts'
import { paths } from '../../../shared/paths.ts'
import { activitiesForms } from '../../../shared/screens/activities.ts'
import { Button } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Completions } from '../../components/completions.tsx'
import { Icon } from '../../components/icon.tsx'
import { NotFoundHints } from '../../components/not-found-hints.tsx'
import { Notice } from '../../components/notice.tsx'
import { queryOf } from '../../components/query-of.ts'
import { RangePicker } from '../../components/range-picker.tsx'
import { SearchBox } from '../../components/search-box.tsx'
import { SeverityLabel } from '../../components/severity-label.tsx'
import type { EventParts } from './event-parts.tsx'
import { Facets, hasFacets } from './facets.tsx'
import { Histogram } from './histogram.tsx'
import { HistogramTable } from './histogram-table.tsx'
import { hrefOfEvent, hrefOfSearch } from './links.ts'
import { Log } from './log.tsx'
import { LogForm } from './log-form.tsx'
import { SearchHelp } from './search-help.tsx'
import { Tools, ToolsButton } from './tools.tsx'

/** The log of all services. */
export default function Activities({
  content,
  parts,
}: {
  content: Contents['activities']
  /** `null` if the page has neither an open event nor a trace. */
  parts: EventParts | null
}) {
  const { q, range, problem, open, urlColumns: columns, facet } = content
  if (content.part === 'event') return <EventOnly content={content} parts={parts} />
  const isLog = problem === null && content.histogramTable === null
  return (
    <div className="activities" data-open={open !== null || undefined}>
      <div className="activities-head">
        <div className="activities-title">
          <h1>Activities</h1>
          <p>Logs of all services</p>
        </div>
        <SearchBox
          action={paths.activities()}
          name="q"
          defaultValue={q}
          label="Search the log"
          placeholder='severity:error service:api status:>=500 "card declined" -healthcheck'
          hidden={queryOf(paths.activities({ range, columns, facet }))}
          problem={problem}
          // The key removes the completions of text that another search replaces.
          completions={field => <Completions key={q} field={field} range={range} />}
        />
        <SearchHelp range={range} />
        <RangePicker
          range={range}
          window={content.window}
          hrefFor={other => paths.activities({ q, range: other, columns, facet })}
        />
        {content.zoomOutHref !== null && (
          <a className="button activities-widen" href={content.zoomOutHref} title="Widen time range">
            <Icon name="widen" />
            <span className="visually-hidden">Widen time range</span>
          </a>
        )}
        {isLog && <ToolsButton />}
      </div>
      {q !== '' && (
        <p className="print-only">
          Search: <code>{q}</code>
        </p>
      )}
      <Notices content={content} />
      {content.histogramTable !== null && <HistogramTable content={content} table={content.histogramTable} />}
      {isLog && (
        <>
          <div className="activities-summary">
            <nav className="activities-severities" aria-label="Severity">
              {content.severities
                .filter(({ count, active }) => count > 0 || active)
                .map(({ severity, count, active, href }) => (
                  <Chip key={severity} href={href} active={active} count={count}>
                    <SeverityLabel severity={severity} />
                  </Chip>
                ))}
            </nav>
            <Confirmed content={content} />
            <Tools content={content} />
          </div>
          <Histogram content={content} />
          {content.waterfall?.isSearch && parts !== null && (
            <parts.Waterfall
              waterfall={content.waterfall}
              openId={open?.id}
              hrefFor={event => hrefOfEvent(content, event)}
            />
          )}
          <div className="activities-columns" data-facets={hasFacets(content) || undefined}>
            {content.part === null && <Log content={content} />}
            <Facets content={content} />
          </div>
          {open !== null && parts !== null && <parts.OpenEvent event={open} content={content} />}
        </>
      )}
    </div>
  )
}

/** A page with only the open event. It is loaded when an event is opened over the log. */
function EventOnly({ content, parts }: { content: Contents['activities']; parts: EventParts | null }) {
  const { open, q } = content
  return (
    <div className="activities" data-open={open !== null || undefined}>
      <h1>Event</h1>
      <Notices content={content} />
      {open === null || parts === null ? (
        <a href={hrefOfSearch(content, q)}>Show the log</a>
      ) : (
        <parts.OpenEvent event={open} content={content} />
      )}
    </div>
  )
}

/** Shows the result of a change to the saved searches, beside their menu, so that the log does not move. */
function Confirmed({ content: { confirmation } }: { content: Contents['activities'] }) {
  if (confirmation === null) return null
  return (
    <Notice tone="ok" title={confirmation.text} isOutcome>
      {confirmation.undoId !== null && (
        <LogForm form={activitiesForms.undo}>
          <Button type="submit" name="undo" value={confirmation.undoId}>
            Undo
          </Button>
        </LogForm>
      )}
    </Notice>
  )
}

function Notices({ content }: { content: Contents['activities'] }) {
  const { unknownDigest, openMissing } = content
  return (
    <>
      {unknownDigest !== null && (
        <Notice tone="warn" title={`No event found for digest ${unknownDigest.digest}`}>
          <NotFoundHints hints={unknownDigest.hints} />
          {content.total > 0 && <p>Events that mention it are listed below.</p>}
        </Notice>
      )}
      {openMissing && (
        <Notice tone="neutral" title="This event is not stored here">
          It may have been deleted by the <a href={paths.settings()}>retention policy</a>, or the link may be
          from another Sixpane server. <a href={hrefOfSearch(content, content.q)}>Close</a>
        </Notice>
      )}
    </>
  )
}
