import type { LogEvent } from '../../../../shared/event.ts'
import type { Window } from '../../../../shared/range.ts'
import { vitalNames } from '../../../../shared/vitals.ts'
import { attributeText } from '../../common/attribute-text.ts'
import { join, type Sql, sql } from '../../common/sql.ts'
import { numberIn } from '../sql/number-in.ts'
import { eventsOf, inWindow, isVisible, type Source } from '../sql/source.ts'

/** The names of samples that count sessions. */
export const sessionNames = ['started', 'crashed'] as const

/**
 * Returns a table of the Web Vitals by route and the sessions by release that applications report. One query reads both,
 * because the dashboard shows both. Columns: `time_us`, `service`, `part` (the route or release), `name`, `value`.
 */
export function visitorSamples(source: Source, window: Window): Sql {
  const field = (path: string) => numberIn(sql`json_extract_string(attributes, ${path})`)
  const vital = sql`[{name: json_extract_string(attributes, '/vital/name'), value: ${field('/vital/value')}}]`
  const sessions = sql`[
    {name: 'started', value: ${field('/sessions/started')}}, {name: 'crashed', value: ${field('/sessions/crashed')}}]`
  return sql`(
    SELECT time_us, service, part, sample.name AS name, sample.value AS value
    FROM (
      SELECT time_us, service, CASE WHEN is_vital THEN route ELSE release END AS part,
        unnest(CASE WHEN is_vital THEN ${vital} ELSE ${sessions} END) AS sample
      FROM (
        SELECT *, contains(attributes, '"vital":{') AS is_vital
        FROM ${eventsOf(source.segments.overlapping(window))}
        WHERE source IN ('browser', 'own', 'sentry') AND ${inWindow(window)} AND ${isVisible(source)}
          AND (contains(attributes, '"vital":{') OR (source = 'sentry' AND contains(attributes, '"sessions":{')))))
    WHERE isfinite(value) AND value <= 1e9 AND ((name IN (${names(vitalNames)}) AND value >= 0) OR (name IN (${names(sessionNames)}) AND value > 0)))`
}

/** Whether an event may have samples in the table that `visitorSamples` returns. */
export function hasVisitorSample(event: LogEvent): boolean {
  return attributeText(event, 'vital.name') !== null || attributeText(event, 'sessions.started') !== null
}

/** Returns the table with the columns that `readSamples` needs. The key is the JSON of service, part and name. */
export function visitorSampleKeys(source: Source, day: Window): Sql {
  return sql`(SELECT json_array(service, part, name)::VARCHAR AS key, time_us, value FROM ${visitorSamples(source, day)})`
}

function names(values: readonly string[]): Sql {
  return join(
    values.map(value => sql`${value}`),
    ', ',
  )
}
