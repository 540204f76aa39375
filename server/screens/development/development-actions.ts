import { randomBytes } from 'node:crypto'
import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import { connectForm } from '../../../shared/screens/development.ts'
import { connectSnippets } from '../../connect/snippets.ts'
import type { Context } from '../../context.ts'
import { requiresSignIn } from '../../settings/config.ts'
import type { ScreenAction, ScreenRequest, ScreenResponse } from '../screen.ts'
import { actOnFailure } from './failure-actions.ts'

/** Handles the forms for the selected failure and the form that sends a test event. */
export const actOnDevelopment: ScreenAction<'development'> = async (form, request, context, show) =>
  form.get('form') === connectForm
    ? sendTestEvent(form.get('way'), request, context)
    : actOnFailure(form, request, context, show)

/** Queues a test event as the snippet's ingest endpoint would, then redirects to this event in the log. */
async function sendTestEvent(
  way: string | null,
  { origin, nowMs }: ScreenRequest,
  { config, events, normalise }: Context,
): Promise<ScreenResponse<'development'>> {
  const snippet = connectSnippets(origin, requiresSignIn(config)).find(({ id }) => id === way)
  if (snippet === undefined || snippet.source === null)
    return { kind: 'redirect', location: paths.development() }
  const requestId = `try-${randomBytes(4).toString('hex')}`
  const record = {
    time: nowMs,
    service: 'my-service',
    level: 'info',
    message: `Test event for “${snippet.title}”`,
    requestId,
  }
  await events.accept([normalise(record, snippet.source, nowMs)], JSON.stringify(record).length)
  return {
    kind: 'redirect',
    location: paths.activities({ q: withTerm('', 'request', requestId), range: { span: '1h' } }),
  }
}
