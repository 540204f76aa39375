const id = 'page-notice'

type Actions = Readonly<Record<string, () => void>>

/**
 * Shows a notice about a failed action on top of the page. Replaces an earlier notice. Uses only the DOM, because the
 * notice does not belong to a page.
 * @param actions the action of each button, by label
 */
export function showPageNotice(text: string, actions: Actions): HTMLElement {
  const shown = document.getElementById(id)
  // Reuses a notice with the same text, so that its buttons keep the focus.
  const notice = shown?.querySelector('p')?.textContent === text ? shown : createNotice(text, actions)
  for (const button of notice.querySelectorAll('button')) {
    button.onclick = actions[button.textContent] ?? null
  }
  return notice
}

/**
 * Shows a notice that the visitor can close. Closing it moves the focus back to the element that has it now.
 * @param tryAgain called when the visitor wants to try again, if that is possible
 */
export function showProblem(text: string, tryAgain?: () => void): void {
  const { activeElement: origin } = document
  const close = (act?: () => void) => () => {
    hidePageNotice()
    if (origin instanceof HTMLElement) origin.focus()
    act?.()
  }
  showPageNotice(text, { ...(tryAgain && { 'Try again': close(tryAgain) }), Dismiss: close() })
}

export function hidePageNotice(): void {
  document.getElementById(id)?.remove()
}

function createNotice(text: string, actions: Actions): HTMLElement {
  hidePageNotice()
  const notice = document.createElement('div')
  notice.id = id
  notice.setAttribute('role', 'alert')
  const paragraph = document.createElement('p')
  paragraph.textContent = text
  notice.append(paragraph, ...Object.keys(actions).map(createButton))
  document.body.append(notice)
  return notice
}

function createButton(label: string): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button'
  button.textContent = label
  return button
}
