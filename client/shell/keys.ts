import { screenIds, screens } from '../../shared/screens.ts'
import { isChangedText } from '../unsaved.ts'
import { paletteButtonId } from './element-ids.ts'
import { isForInputMethod } from './is-for-input-method.ts'
import { openKeysDialog, screenKeys } from './keys-dialog.tsx'
import { shortcutKey } from './shortcut-key.ts'

/** Where the press that ends with the next click started. */
let pressed: EventTarget | null = null
/** Maximum time between `g` and the second key. */
const chordMs = 1500

/**
 * Handles the global keyboard shortcuts: `/` focuses the search, `g` and a letter opens a screen, `?` lists the
 * shortcuts, Ctrl+K or ⌘K opens or closes the command palette, and Escape closes the open menus or, if there are none, the
 * open event.
 */
export function listenForKeys(): void {
  let chordUntilMs = 0

  function onKey(event: KeyboardEvent): void {
    if (isForInputMethod(event)) return
    const key = shortcutKey(event)
    if (key === 'Escape') {
      // Otherwise, Escape would also clear the selection of failures.
      if (closeMenus()) event.preventDefault()
      else if (isShortcut(event)) closeEvent()
    }
    if (isCommandKey(event)) {
      event.preventDefault()
      document.getElementById(paletteButtonId)?.click()
    }
    if (!isShortcut(event)) return
    const inChord = event.timeStamp < chordUntilMs
    chordUntilMs = 0
    if (inChord && goTo(key)) event.preventDefault()
    else if (key === 'g') chordUntilMs = event.timeStamp + chordMs
    else if (key === '/' && focusSearch()) event.preventDefault()
    else if (key === '?') openKeysDialog()
  }

  document.addEventListener('keydown', onKey)
  document.addEventListener('pointerdown', ({ target }) => (pressed = target))
  document.addEventListener('click', onClick)
  // `toggle` does not bubble.
  document.addEventListener('toggle', focusField, { capture: true })
  // Search results replace the page, so the menu that contains the search form closes. A menu with a POST form stays open,
  // because the response may show a problem in the form.
  document.addEventListener('submit', ({ target }) => isSearch(target) && closeMenus())
}

/**
 * Whether a key press may be a shortcut: no text or select field has the focus, no dialog is open, and none of Ctrl, Alt and
 * Meta is pressed.
 */
export function isShortcut(event: KeyboardEvent): boolean {
  const isPlain = !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.altKey
  return isPlain && !isTyping(event.target) && document.querySelector('dialog[open]') === null
}

/** Ctrl+K and ⌘K also work in text fields and in the palette, which they close. */
function isCommandKey(event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey } = event
  const isAlone = !event.defaultPrevented && ctrlKey !== metaKey && !altKey && !shiftKey
  const isOther = document.querySelector('dialog[open]:not(.palette)') !== null
  return isAlone && shortcutKey(event).toLowerCase() === 'k' && !isOther
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=radio], [type=checkbox]), textarea, select'))
  )
}

/** Focuses the screen's search field or, if it has none, the one in the header. */
function focusSearch(): boolean {
  const field =
    document.querySelector<HTMLInputElement>('main input[type=search]') ??
    document.querySelector<HTMLInputElement>('#shell-search')
  field?.focus()
  field?.select()
  return field !== null
}

/** Clicks the navigation link of a screen. */
function goTo(key: string): boolean {
  const id = screenIds.find(each => screenKeys[each] === key)
  if (id === undefined) return false
  const link = document.querySelector<HTMLAnchorElement>(`.shell-nav a[href="${screens[id].path}"]`)
  link?.click()
  return link !== null
}

/**
 * Whether an element is a search form. Returns `false` if the form contains unchanged invalid text, because the page will
 * show the same problem again.
 */
function isSearch(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLFormElement &&
    target.method === 'get' &&
    [...target.querySelectorAll('[aria-invalid]')].every(isChangedText)
  )
}

function closeEvent(): void {
  document.querySelector<HTMLAnchorElement>('.event-close')?.click()
}

/** Focuses the field at the start of an opened menu. Not on touch screens, where a keyboard would cover the menu. */
function focusField({ target }: Event): void {
  if (target instanceof Element && matchMedia('(hover: hover)').matches) {
    target.querySelector<HTMLElement>('[data-menu=field][open] > summary:focus + * .field input')?.focus()
  }
}

function onClick({ target, detail }: MouseEvent): void {
  // A key caused the click, and the last press none, for example because it opened the browser's menu.
  if (detail === 0) pressed = null
  // Releasing a selection of text outside a menu must not close the menu.
  closeMenus(pressed ?? target)
  pressed = null
  if (target instanceof Element) {
    // The popover would cover the page that the link leads to.
    target.closest('a:not([download])')?.closest<HTMLElement>('[popover]')?.hidePopover()
  }
}

/**
 * Closes all menus, except one in which something other than a link was clicked. If the focus was in a menu that closes,
 * moves it to that menu's button.
 * @returns whether a menu was closed
 */
function closeMenus(target: EventTarget | null = null): boolean {
  let isClosed = false
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')) {
    if (target instanceof Element && menu.contains(target) && target.closest('a') === null) continue
    if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
    menu.open = false
    isClosed = true
  }
  return isClosed
}
