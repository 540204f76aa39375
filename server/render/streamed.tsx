import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { type ReactNode, Suspense, use } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { Screens } from '../../client/routes.tsx'
import type { Page } from '../../shared/page.ts'
import { screens } from '../../shared/screens.ts'
import type { Context } from '../context.ts'
import { hijackReply } from '../http/hijack-reply.ts'
import { htmlType } from '../http/html-response.ts'
import { documentAround } from './document.ts'
import { rejectLate } from './drill.ts'
import { logFailure } from './fail.ts'
import { failureFragment } from './failure-page.ts'
import { PageTree, type RenderEnv } from './page-tree.tsx'

type StreamedTree = {
  pipe(into: Writable): void
  /** Aborts when the suspended part fails or the request is aborted. */
  failed: AbortSignal
}

/**
 * For the `late` drill, sends a page while part of it is still suspended. When that part fails, the status has already been
 * sent, so the content of the failure page replaces the screen.
 * @throws an error that occurs before anything is sent, or the signal's reason
 */
export async function sendStreamed(
  page: Page,
  status: number,
  env: RenderEnv,
  signal: AbortSignal,
  reply: FastifyReply,
  context: Context,
): Promise<FastifyReply> {
  const { pipe, failed } = await startTree(page, env, signal)
  const { head, tail } = documentAround(page, env.build)
  const out = hijackReply(reply, status, { 'content-type': htmlType, 'cache-control': 'no-store' })
  out.write(head)
  const body = new Writable({
    write(chunk, _encoding, done) {
      // After a failure, React's output contains a description of the error.
      if (!failed.aborted) out.write(chunk)
      done()
    },
  })
  try {
    pipe(body)
    await finished(body, { signal: failed })
    out.end(tail)
  } catch (error) {
    const thrown: unknown = failed.aborted ? failed.reason : error
    if (out.destroyed) return reply
    const route = page.screen === null ? null : screens[page.screen].path
    const digest = await logFailure(thrown, { kind: 'screen', route }, reply.request, context)
    out.end(`</div>${failureFragment('server', reply.request.host, digest)}</body></html>`)
  }
  return reply
}

/** Resolves when everything outside the suspended part is rendered. */
function startTree(page: Page, { views }: RenderEnv, signal: AbortSignal): Promise<StreamedTree> {
  return new Promise((resolve, reject) => {
    const failure = new AbortController()
    // `reject` has no effect once the shell is ready.
    const fail = (reason: unknown) => {
      failure.abort(reason)
      reject(reason)
    }
    const { pipe, abort } = renderToPipeableStream(
      <PageTree page={page}>
        <Screens views={views} />
        <Suspense fallback={null}>
          <FailLate late={rejectLate()} />
        </Suspense>
      </PageTree>,
      {
        onShellReady: () => resolve({ pipe, failed: failure.signal }),
        onError: fail,
      },
    )
    const stop = () => {
      fail(signal.reason)
      abort(signal.reason)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

function FailLate({ late }: { late: Promise<never> }): ReactNode {
  return use(late)
}
