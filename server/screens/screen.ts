import type { Contents } from '../../shared/page.ts'
import type { Preferences } from '../../shared/preferences.ts'
import type { ScreenId } from '../../shared/screens.ts'
import type { Context } from '../context.ts'

/** What a screen may know of the request that asks for it. */
export type ScreenRequest = {
  params: URLSearchParams
  preferences: Preferences
  /** One clock for the whole page. */
  nowMs: number
  /** Scheme and host that the visitor used, without a trailing slash. */
  origin: string
  /** Aborts when the visitor has gone or the render's deadline has passed. */
  signal: AbortSignal
}

export type ScreenAnswer<Id extends ScreenId> =
  | {
      kind: 'content'
      content: Contents[Id]
      /** Stands before the product's name in the title; the screen's own title where left out. */
      title?: string
      /** 200 where left out. */
      status?: 404 | 422
    }
  | { kind: 'redirect'; location: string; preferences?: Preferences }

/** Prepares what a screen shows for one request. What it throws becomes the failure page. */
export type Screen<Id extends ScreenId> = (
  request: ScreenRequest,
  context: Context,
) => Promise<ScreenAnswer<Id>>

/** Carries out a form of a screen; a redirect (303) after success, the content with problems otherwise. */
export type ScreenAction<Id extends ScreenId> = (
  form: URLSearchParams,
  request: ScreenRequest,
  context: Context,
) => Promise<ScreenAnswer<Id>>
