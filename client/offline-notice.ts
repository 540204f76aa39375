const id = 'offline'

/**
 * Shows that the server is unreachable. Uses only the DOM, because the notice does not belong to a page.
 * @param retry called when the visitor asks for another attempt
 */
export function showOfflineNotice(retry: () => void): void {
  const notice = document.getElementById(id) ?? createNotice()
  const button = notice.querySelector('button')
  if (button !== null) button.onclick = retry
}

export function hideOfflineNotice(): void {
  document.getElementById(id)?.remove()
}

function createNotice(): HTMLElement {
  const notice = document.createElement('div')
  notice.id = id
  notice.setAttribute('role', 'alert')
  const text = document.createElement('p')
  text.textContent = 'Can’t reach Sixpane. The next page opens as soon as it responds.'
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'button'
  button.textContent = 'Retry now'
  notice.append(text, button)
  document.body.append(notice)
  return notice
}
