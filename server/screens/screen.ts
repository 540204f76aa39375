import type { Contents } from '../../shared/page.ts'
import type { Preferences } from '../../shared/preferences.ts'
import type { ScreenId } from '../../shared/screens.ts'
import type { Context } from '../context.ts'

/** What a screen may know about the request. */
export type ScreenRequest = {
  params: URLSearchParams
  preferences: Preferences
  /** One clock for the whole page. */
  nowMs: number
  /** Scheme and host that the visitor used, without a trailing slash. */
  origin: string
  /** Aborts when the visitor disconnects or the render deadline passes. */
  signal: AbortSignal
}

export type Redirect = {
  kind: 'redirect'
  location: string
  /** Stored in the visitor's cookie. */
  preferences?: Preferences
}

export type Presentation<Id extends ScreenId> = {
  content: Contents[Id]
  /** Precedes the product's name in the title; the screen's own title where left out. */
  title?: string
  /** 200 where left out. */
  status?: 404 | 422
}

export type ScreenAnswer<Id extends ScreenId> = ({ kind: 'content' } & Presentation<Id>) | Redirect

/** The answer, and whose it is: TypeScript then knows the content of each screen's page. */
type Labelled<Id extends ScreenId> = ({ kind: 'content'; screen: Id } & Presentation<Id>) | Redirect

/** A screen as the page pipeline calls it. Exceptions become the failure page. */
export type Screen<Id extends ScreenId> = {
  get(request: ScreenRequest, context: Context): Promise<Labelled<Id>>
  /** Missing where the screen has no forms. */
  post?: (form: URLSearchParams, request: ScreenRequest, context: Context) => Promise<Labelled<Id>>
}

/**
 * Carries out a form: redirects (303) after success, otherwise answers with the page and its problems.
 * @param show the screen's page, for a form that is shown again
 */
export type ScreenAction<Id extends ScreenId> = (
  form: URLSearchParams,
  request: ScreenRequest,
  context: Context,
  show: Screen<Id>['get'],
) => Promise<ScreenAnswer<Id>>

/** The steps of a screen, in their order. */
export type ScreenSteps<Id extends ScreenId, Params, Data> = {
  id: Id
  /** Reads the URL: no I/O. What cannot be parsed counts as left out. */
  parse(request: ScreenRequest): Params
  /** Looks up what the rest depends on: another URL to redirect to, or the parameters to load. */
  resolve?(params: Params, request: ScreenRequest, context: Context): Promise<Params | Redirect>
  /** Queries the store: everything at once. */
  load(params: Params, request: ScreenRequest, context: Context): Promise<Data>
  /** Makes the content: no I/O. */
  present(data: Data, params: Params, request: ScreenRequest, context: Context): Presentation<Id>
  submit?: ScreenAction<Id>
}

/** Makes a screen of its steps. */
export function defineScreen<Id extends ScreenId, Params extends object, Data>(
  steps: ScreenSteps<Id, Params, Data>,
): Screen<Id> {
  const { id, submit } = steps
  const label = (answer: ScreenAnswer<Id>): Labelled<Id> =>
    answer.kind === 'redirect' ? answer : { ...answer, screen: id }

  const get: Screen<Id>['get'] = async (request, context) => {
    const params = steps.parse(request)
    const resolved = (await steps.resolve?.(params, request, context)) ?? params
    if (isRedirect(resolved)) return resolved
    const data = await steps.load(resolved, request, context)
    return label({ kind: 'content', ...steps.present(data, resolved, request, context) })
  }
  if (submit === undefined) return { get }
  return {
    get,
    post: async (form, request, context) => label(await submit(form, request, context, get)),
  }
}

function isRedirect(value: object): value is Redirect {
  return 'kind' in value && value.kind === 'redirect'
}
