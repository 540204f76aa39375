/**
 * Moves the focus to the element that the URL's hash refers to, unless another element has the focus. Browsers only scroll
 * to this element. After a form submission, keyboard users continue there, and screen readers announce it.
 */
export function focusTarget(): void {
  const target = document.getElementById(location.hash.slice(1))
  if (target === null || document.activeElement !== document.body) return
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}
