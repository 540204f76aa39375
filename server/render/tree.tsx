import { type ReactNode, Suspense, use } from 'react'
import { renderToPipeableStream } from 'react-dom/server'
import { StaticRouter } from 'react-router-dom'
import { PageContext } from '../../client/page.ts'
import { Screens } from '../../client/routes.tsx'
import type { Views } from '../../client/screens/registry.tsx'
import type { Page } from '../../shared/page.ts'
import { type Drilled, failLate, failRender } from './drill.ts'
import { Sink } from './sink.ts'

export type RenderedTree =
  | { kind: 'whole'; html: Buffer }
  /** A part of the screen suspended: `rest` passes on what is there and what follows, until the end of it. */
  | { kind: 'begun'; rest: (write: (chunk: string | Uint8Array) => void) => Promise<void> }

/**
 * Renders a page's screen in its frame. The content is awaited before, so nearly always all of it is there at
 * once (`whole`).
 * @throws what the tree throws, or the signal's reason when it aborts; the promise of `rest` likewise
 */
export function renderTree(
  page: Page,
  views: Views,
  drill: Drilled,
  signal: AbortSignal,
): Promise<RenderedTree> {
  return new Promise((resolve, reject) => {
    const sink = new Sink()
    let failLater: (error: unknown) => void = reject

    const { pipe, abort } = renderToPipeableStream(
      <PageContext value={page}>
        <StaticRouter location={page.url}>{drilled(drill, <Screens views={views} />)}</StaticRouter>
      </PageContext>,
      {
        onShellReady() {
          pipe(sink)
          if (sink.ended) {
            resolve({ kind: 'whole', html: sink.take() })
            return
          }
          const broken = new Promise<never>((_resolve, rejectRest) => {
            failLater = error => {
              sink.discard()
              rejectRest(error)
            }
          })
          // Until somebody awaits the rest, nobody is there to hear of it.
          broken.catch(() => {})
          resolve({ kind: 'begun', rest: write => Promise.race([sink.forward(write), broken]) })
        },
        // Before the shell is ready this is the failure of the render, after it that of the rest.
        onError: error => failLater(error),
      },
    )
    const stop = () => {
      failLater(signal.reason)
      abort(signal.reason)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

function drilled(drill: Drilled, screens: ReactNode): ReactNode {
  if (drill === 'render') return <FailRender />
  if (drill !== 'late') return screens
  const late = failLate()
  return (
    <>
      {screens}
      <Suspense fallback={null}>
        <FailLate late={late} />
      </Suspense>
    </>
  )
}

function FailRender(): ReactNode {
  return failRender()
}

function FailLate({ late }: { late: Promise<never> }): ReactNode {
  return use(late)
}
