import { randomBytes } from 'node:crypto'
import { paths } from '../../../shared/paths.ts'
import { withTerm } from '../../../shared/query.ts'
import { connectForm, failureForms } from '../../../shared/screens/development.ts'
import { connectSnippets } from '../../connect/snippets.ts'
import type { Context } from '../../context.ts'
import { requiresSignIn } from '../../settings/config.ts'
import type { ScreenAction, ScreenRequest, ScreenResponse } from '../screen.ts'
import { actOnFailure, actOnSelected } from './failure-actions.ts'
import { requestedFailure } from './requested-failure.ts'
import { undoStates } from './state-actions.ts'

/** Handles the forms for failures and the form that sends a test event. */
export const actOnDevelopment: ScreenAction<'development'> = async (form, request, context, show) => {
  switch (form.get('form')) {
    case connectForm:
      return sendTestEvent(form.get('way'), request, context)
    case failureForms.undo:
      return undoStates(form, request, context)
    default: {
      const isForOne = requestedFailure(request.params).value !== ''
      return isForOne ? actOnFailure(form, request, context, show) : actOnSelected(form, request, context)
    }
  }
}

/** Queues a test event as the snippet's ingest endpoint would, then redirects to this event in the log. */
async function sendTestEvent(
  way: string | null,
  { origin, nowMs, user }: ScreenRequest,
  { config, events, normalise }: Context,
): Promise<ScreenResponse<'development'>> {
  const snippet = connectSnippets(origin, requiresSignIn(config), user.role).find(({ id }) => id === way)
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
