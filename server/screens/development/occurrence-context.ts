import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Json, LogEvent } from '../../../shared/event.ts'
import type { OccurrenceContext } from '../../../shared/screens/development.ts'
import { attributeText } from '../../store/common/attribute-text.ts'

const maxTags = 50

const breadcrumb = Type.Object({
  time: Type.Optional(Type.String()),
  level: Type.Optional(Type.String()),
  category: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

/**
 * Returns the URL, user, user agent, tags and breadcrumbs of an occurrence, or `null` if it has none of them. Reads
 * OpenTelemetry attributes, and the tags and breadcrumbs that Sentry's SDKs send.
 */
export function occurrenceContext(event: LogEvent): OccurrenceContext | null {
  const first = (...paths: string[]) =>
    paths.map(path => attributeText(event, path)).find(text => text !== null) ?? null
  const context = {
    url: first('url.full', 'url.path'),
    user: first('user.email', 'user.name', 'user.id'),
    userAgent: first('user_agent.original'),
    tags: tagsOf(event.attributes.tags),
    breadcrumbs: breadcrumbsOf(event.attributes.breadcrumbs),
  }
  const { url, user, userAgent, tags, breadcrumbs } = context
  const isEmpty =
    url === null && user === null && userAgent === null && tags.length + breadcrumbs.length === 0
  return isEmpty ? null : context
}

function tagsOf(tags: Json | undefined): OccurrenceContext['tags'] {
  if (typeof tags !== 'object' || tags === null || Array.isArray(tags)) return []
  return Object.entries(tags)
    .slice(0, maxTags)
    .flatMap(([name, value]) =>
      value === null || typeof value === 'object' ? [] : { name, value: String(value) },
    )
}

function breadcrumbsOf(given: Json | undefined): OccurrenceContext['breadcrumbs'] {
  if (!Array.isArray(given)) return []
  return given.flatMap(each => {
    if (!Value.Check(breadcrumb, each)) return []
    const { time, level = null, category = null, message, data = {} } = each
    const timeMs = time === undefined ? Number.NaN : Date.parse(time)
    return {
      timeMs: Number.isNaN(timeMs) ? null : timeMs,
      level,
      category,
      message: message ?? describeData(data),
    }
  })
}

/** Describes a breadcrumb without a message, such as a request (`GET /cart 500`) or a navigation (`from /cart to /pay`). */
function describeData(data: Readonly<Record<string, unknown>>): string {
  const { method, url, status_code: status, from, to, ...rest } = data
  if (typeof from === 'string' && typeof to === 'string') return `from ${from} to ${to}`
  if (url !== undefined) return [method, url, status].filter(part => part !== undefined).join(' ')
  return Object.entries({ ...rest })
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
