import type { EventRow, LogEvent } from '../../../shared/event.ts'
import { attributeText } from './attribute-text.ts'
import { cut } from './cut.ts'
import { type Row, textOrNull } from './rows.ts'

/**
 * The attributes in which loggers store the URL or path of a request: those from OpenTelemetry's semantic
 * conventions (https://opentelemetry.io/docs/specs/semconv/registry/attributes/url/), under their current and former names,
 * and those from pino-http.
 */
export const urlAttributes = ['url.path', 'http.target', 'req.url', 'url.full', 'http.url', 'url']

/** Returns the path of a URL without its query, which can contain secrets; `null` if the text is neither a URL nor a path. */
export function pathOfUrl(url: string): string | null {
  const [, path] = /^(?:https?:\/\/[^/?#]+)?(\/[^?#]*)/i.exec(url) ?? []
  return path ?? null
}

/**
 * Adds the path to each request that has no route. Reads the attributes of only these events, because reading those of every
 * row takes a tenth of a log page's CPU time.
 * @param readUrls returns a row for each of these events: `id`, and the first of its `urlAttributes` as `url`
 */
export async function addPaths(
  events: readonly EventRow[],
  readUrls: (events: readonly EventRow[]) => Promise<Row[]>,
): Promise<EventRow[]> {
  const requests = events.filter(({ method, route }) => method !== null && route === null)
  if (requests.length === 0) return [...events]
  const urls = new Map((await readUrls(requests)).map(({ id, url }) => [Number(id), textOrNull(url)]))
  return events.map(event => {
    const path = pathOfUrl(urls.get(event.id) ?? '')
    return path === null ? event : { ...event, path: cut(path) }
  })
}

/** Returns the path of a request without a route; `null` if it is unknown. */
export function requestPath(event: Pick<LogEvent, 'method' | 'route' | 'attributes'>): string | null {
  if (event.method === null || event.route !== null) return null
  for (const attribute of urlAttributes) {
    const url = attributeText(event, attribute)
    if (url !== null) return pathOfUrl(url)
  }
  return null
}
