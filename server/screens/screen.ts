import type { Contents } from '../../shared/page.ts'
import type { Preferences } from '../../shared/preferences.ts'
import type { ScreenId } from '../../shared/screens.ts'
import type { Role, User } from '../../shared/user.ts'
import type { Context } from '../context.ts'

/** The parts of a request that a screen may use. */
export type ScreenRequest = {
  params: URLSearchParams
  preferences: Preferences
  /** The current time, the same for the whole page. */
  nowMs: number
  user: User
  /** The scheme and host of the requested URL, without a trailing slash. */
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
  /** The page title without the product name; defaults to the screen's title. */
  title?: string
  /** Defaults to 200. */
  status?: 404 | 422
  /** The page's URL. Defaults to the requested URL, which differs if a form contains the URL of its page. */
  url?: string
}

export type ScreenResponse<Id extends ScreenId> = ({ kind: 'content' } & Presentation<Id>) | Redirect

/** A response with the id of its screen, so that TypeScript can infer the content type. */
type Labelled<Id extends ScreenId> = ({ kind: 'content'; screen: Id } & Presentation<Id>) | Redirect

/** The interface through which the page pipeline calls a screen. If the screen throws, the visitor sees the failure page. */
export type Screen<Id extends ScreenId> = {
  get(request: ScreenRequest, context: Context): Promise<Labelled<Id>>
  /** The role that a form needs. */
  roleOf(form: URLSearchParams): Role
  /** Missing if the screen has no forms. */
  post?: (form: URLSearchParams, request: ScreenRequest, context: Context) => Promise<Labelled<Id>>
}

/**
 * Handles a form. Redirects (303) after success; otherwise, returns the page with the form's problems.
 * @param show creates the page that contains the form
 */
export type ScreenAction<Id extends ScreenId> = (
  form: URLSearchParams,
  request: ScreenRequest,
  context: Context,
  show: Screen<Id>['get'],
) => Promise<ScreenResponse<Id>>

/** The steps of a screen, in the order in which they run. */
export type ScreenSteps<Id extends ScreenId, Params, Data> = {
  id: Id
  /** Parses the URL, without I/O. Invalid parameters are ignored. */
  parse(request: ScreenRequest): Params
  /** Looks up data that the next steps depend on. Returns the final parameters or a redirect. */
  resolve?(params: Params, request: ScreenRequest, context: Context): Promise<Params | Redirect>
  /** Loads the data for the content. Runs independent store queries concurrently. */
  load(params: Params, request: ScreenRequest, context: Context): Promise<Data>
  /** Creates the content, without I/O. */
  present(data: Data, params: Params, request: ScreenRequest, context: Context): Presentation<Id>
  /** Handles the screen's forms. `roleOf` returns the role that a form needs. */
  submit?: { roleOf(form: URLSearchParams): Role; handle: ScreenAction<Id> }
}

/** Creates a screen from its steps. */
export function defineScreen<Id extends ScreenId, Params extends object, Data>(
  steps: ScreenSteps<Id, Params, Data>,
): Screen<Id> {
  const { id, submit } = steps
  const label = (response: ScreenResponse<Id>): Labelled<Id> =>
    response.kind === 'redirect' ? response : { ...response, screen: id }

  const get: Screen<Id>['get'] = async (request, context) => {
    const params = steps.parse(request)
    const resolved = (await steps.resolve?.(params, request, context)) ?? params
    if (isRedirect(resolved)) return resolved
    const data = await steps.load(resolved, request, context)
    return label({ kind: 'content', ...steps.present(data, resolved, request, context) })
  }
  if (submit === undefined) return { get, roleOf: () => 'admin' }
  return {
    get,
    roleOf: submit.roleOf,
    post: async (form, request, context) => label(await submit.handle(form, request, context, get)),
  }
}

function isRedirect(value: object): value is Redirect {
  return 'kind' in value && value.kind === 'redirect'
}
