/** Marks a form that was rendered with text that is not saved, for example because it was invalid. */
export const unsavedAttribute = 'data-unsaved'

/** Makes the browser ask for confirmation before the visitor leaves a document with unsaved text. */
export function askBeforeUnload(): void {
  const ask = (event: BeforeUnloadEvent) => {
    if (formsWithText().length > 0) event.preventDefault()
  }
  // Listens only if there was unsaved text at the start or after the last input, because some browsers exclude pages with
  // this listener from the back/forward cache.
  const update = () => {
    if (formsWithText().length > 0) addEventListener('beforeunload', ask)
    else removeEventListener('beforeunload', ask)
  }
  update()
  document.addEventListener('input', update)
}

/**
 * Returns whether the visitor may go to `url`. Asks for confirmation if the page there does not contain all forms with
 * unsaved text.
 */
export function mayLeave(url: URL): boolean {
  return (
    formsWithText().every(form => contains(url, new URL(form.action))) ||
    // Only a synchronous dialog can cancel a navigation.
    confirm('Leave this page? The text that you entered is not saved.')
  )
}

/**
 * Whether a page contains a form. A form whose action has a query belongs only to the page with that query, or to all pages
 * of the failure in `shown` (screens/development/form-action.ts).
 */
function contains(url: URL, action: URL): boolean {
  if (action.pathname !== url.pathname) return false
  const failure = action.searchParams.get('shown')
  if (failure !== null) return failure === url.searchParams.get('failure')
  return action.search === '' || action.search === url.search
}

/** Returns the forms with entered text that is neither saved nor being saved. */
function formsWithText(): HTMLFormElement[] {
  const forms = document.querySelectorAll<HTMLFormElement>('form[method="post"]:not([aria-busy])')
  return [...forms].filter(form => form.hasAttribute(unsavedAttribute) || hasChangedText(form))
}

/** Whether a reload would lose entered text, the cursor position in a text field, or an open dialog. */
export function wouldReloadLoseText(): boolean {
  return (
    document.querySelector(`dialog[open], [${unsavedAttribute}], :focus:read-write`) !== null ||
    [...document.forms].some(hasChangedText)
  )
}

/** Whether a form contains a text field whose value differs from the saved one. */
export function hasChangedText(form: HTMLFormElement): boolean {
  return [...form.elements].some(isChangedText)
}

/**
 * Whether a field is a text field whose value differs from the saved one: the one that the page was rendered with or, if that
 * may be rejected text, the one in `data-saved`.
 */
export function isChangedText(field: Element): boolean {
  return (
    (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
    /text|search/.test(field.type) &&
    field.value !== (field.dataset.saved ?? field.defaultValue)
  )
}
