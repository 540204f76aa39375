import type { Page } from '../shared/page.ts'
import { showFailurePage } from './failure-page.ts'
import { isRedirected } from './is-redirected.ts'
import { isHydrated, isScreen } from './navigation.ts'
import { showNotSaved } from './not-saved.ts'
import { showOutcome } from './outcome.ts'
import { hidePageNotice } from './page-notice.ts'
import { forgetPrefetched } from './prefetched.ts'
import { readPage } from './read-page.ts'
import type { Refresh } from './refresh.ts'
import { SubmittedPage } from './submitted-page.ts'
import { unsavedAttribute } from './unsaved.ts'

/** A form as it was when the visitor submitted it. */
type Submission = {
  form: HTMLFormElement
  submitter: HTMLElement | null
  action: URL
  body: URLSearchParams
  /** The encoded fields without the button. */
  fields: string
  /** The page that contains the form. */
  from: URL
}

/**
 * Submits POST forms without unloading the document: sends the same request as the browser would, follows the redirect, and
 * shows the page in the response. The history gets an entry only if the response shows a different view.
 *
 * Browsers without the Navigation API load the response as a document.
 *
 * @param displayedPage returns the displayed page
 * @param refresh loads the displayed page again
 */
export function startSubmitting(displayedPage: () => Page, refresh: Refresh): void {
  if (!('navigation' in window)) return
  /** The URL and the encoded fields of each form that is being submitted, so that a second click has no effect. */
  const pending = new Map<HTMLFormElement, string>()
  // One at a time, so that the page in the last response is the newest.
  let queue = Promise.resolve()

  const enqueue = (submission: Submission) => {
    const { form, action, body } = submission
    const request = `${action} ${body}`
    if (pending.get(form) === request) return
    pending.set(form, request)
    form.ariaBusy = 'true'
    const done = () => {
      if (pending.get(form) !== request) return
      pending.delete(form)
      form.ariaBusy = null
    }
    queue = queue
      .then(() => submit(submission, { displayedPage, refresh, enqueue }))
      .catch(showFailurePage)
      .finally(done)
  }

  document.addEventListener('submit', event => {
    const { target: form, submitter } = event
    if (event.defaultPrevented || !(form instanceof HTMLFormElement) || !isSubmittable(form)) return
    // A button with `formmethod` does nothing, so that Enter does not submit the form.
    if (submitter?.hasAttribute('formmethod')) return
    event.preventDefault()
    const body = bodyOf(form, submitter)
    // Read now, because the form may belong to another page when its turn comes.
    const action = new URL(form.action)
    const from = urlOf(displayedPage())
    enqueue({ form, submitter, action, body, fields: bodyOf(form, null).toString(), from })
  })
}

function isSubmittable(form: HTMLFormElement): boolean {
  return form.method === 'post' && isHydrated() && isScreen(new URL(form.action))
}

function bodyOf(form: HTMLFormElement, submitter: HTMLElement | null): URLSearchParams {
  const fields = [...new FormData(form, submitter)]
  return new URLSearchParams(fields.map(([name, value]) => [name, typeof value === 'string' ? value : '']))
}

type Client = {
  displayedPage: () => Page
  refresh: Refresh
  enqueue: (submission: Submission) => void
}

async function submit(submission: Submission, { displayedPage, refresh, enqueue }: Client): Promise<void> {
  const { form, submitter, action, body, fields, from } = submission
  hidePageNotice()
  const tryAgain = () => {
    // The page may have removed the button in the meantime.
    if (form.isConnected && form.action === action.href)
      form.requestSubmit(isButtonOf(form, submitter) ? submitter : null)
    // The form was temporary (`saveColumns`), or it now belongs to another page.
    else enqueue(submission)
  }
  forgetPrefetched()
  const posted = await post(action, body)
  // Pages prefetched in the meantime may predate the change, too.
  forgetPrefetched()
  // After its session has ended, a proxy may redirect requests to its sign-in page, on another origin or on this one.
  const signedOut = new Response(null, { status: 401 })
  if (posted === null) {
    return showNotSaved((await isRedirected(location.href, null)) ? signedOut : null, tryAgain)
  }

  const { response, text } = posted
  const received = new DOMParser().parseFromString(text, 'text/html')
  const page = readPage(received)
  const { redirected } = response
  if (redirected && !isScreen(new URL(response.url))) return showNotSaved(signedOut, tryAgain)
  // If the server redirects to a screen, it has accepted the form, even if it is then too busy to show that screen.
  const isRejected = !response.ok && !redirected
  const isFailure = received.querySelector('[data-failure]') !== null
  if (page === null && isRejected && !isFailure) return showNotSaved(response, tryAgain)

  const showResponse = async () => {
    const url = new URL(redirected ? (page?.url ?? response.url) : from, location.href)
    url.hash = action.hash
    let isUnchanged = bodyOf(form, null).toString() === fields
    if (page === null) {
      if (!redirected) return showDocument(received)
      // Otherwise, the browser would ask whether to leave the saved text.
      if (isUnchanged) settle(form)
      return loadDocument(url)
    }

    // The visitor may continue to type while the page is being rendered. Comparing the fields again afterwards would not
    // work, because the page may change hidden fields.
    form.addEventListener('input', () => (isUnchanged = false), { once: true })
    const keepsPlace = isSameView(url, new URL(location.href))
    const submitted = new SubmittedPage({ ...page, url: url.pathname + url.search }, keepsPlace)
    const history = keepsPlace ? 'replace' : 'push'
    const { committed, finished } = navigation.navigate(url.href, { history, info: submitted })
    // `finished` rejects if another navigation supersedes this one. Both promises reject if the visitor chooses not to lose
    // unsaved text in another form. The page then does not contain the saved values.
    try {
      await Promise.all([committed, finished])
    } catch {
      void refreshDisplayed(displayedPage, refresh)
      return
    }
    if (!isRejected && isUnchanged && !form.hasAttribute(unsavedAttribute)) settle(form)
    // React handles the reset in a microtask.
    await Promise.resolve()
    // If no button submitted the form, a changed field did. The visitor continues with the next field, so the focus does not
    // move.
    showOutcome(form, !redirected && submitter !== null)
  }

  if (navigation.transition === null && isSameView(urlOf(displayedPage()), from)) return showResponse()
  // The visitor has opened another page in the meantime, which may have been loaded before the change. Other forms do not
  // wait, because this may take a long time.
  void refreshDisplayed(displayedPage, refresh)
  if (isRejected) showNotSaved(response, page === null ? tryAgain : showResponse)
}

/** Loads the displayed page again. If the visitor is opening another page, first waits until that page is shown. */
async function refreshDisplayed(displayedPage: () => Page, refresh: Refresh): Promise<void> {
  try {
    if ('navigation' in window) await navigation.transition?.finished
    await refresh({ href: displayedPage().url, merge: (_, loaded) => loaded }, new AbortController().signal)
  } catch {
    // The visitor has opened yet another page, or the server cannot be reached.
  }
}

/** Whether two URLs differ at most in their hashes and in how their queries are written. */
function isSameView(a: URL, b: URL): boolean {
  return a.pathname === b.pathname && `${a.searchParams}` === `${b.searchParams}`
}

function urlOf(page: Page): URL {
  return new URL(page.url, location.origin)
}

function isButtonOf(form: HTMLFormElement, button: HTMLElement | null): boolean {
  return [...form.elements].some(element => element === button)
}

/** Returns `null` if there is no response. */
async function post(
  action: URL,
  body: URLSearchParams,
): Promise<{ response: Response; text: string } | null> {
  try {
    const response = await fetch(action, { method: 'POST', body, headers: { accept: 'text/html' } })
    return { response, text: await response.text() }
  } catch {
    return null
  }
}

/** Resets the form to the saved values, which the page now contains, and closes the `<details>` around the form. */
function settle(form: HTMLFormElement): void {
  form.reset()
  const details = form.closest('details')
  if (details === null) return
  if (details.contains(document.activeElement)) details.querySelector('summary')?.focus()
  details.open = false
}

/** Loads a page that this client did not get. Assigning the URL would only scroll if nothing but the hash differs. */
function loadDocument(url: URL): void {
  if (url.pathname === location.pathname && url.search === location.search) {
    location.hash = url.hash
    location.reload()
  } else location.assign(url)
}

/**
 * Shows a document that this client cannot render: the failure page, or a page from another build that must not be requested
 * again, because only this response contains it. Its scripts do not run, but its links and forms work.
 */
function showDocument(received: Document): void {
  document.documentElement.classList.remove('scripted')
  document.title = received.title
  document.body.replaceChildren(...received.body.childNodes)
}
