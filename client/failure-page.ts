import { digestLine, failureLinks, failureSentence } from '../shared/failure-page.ts'
import { paths } from '../shared/paths.ts'
import { standaloneStyle } from '../shared/standalone-style.ts'

/**
 * Replaces the page with the generic failure page, reports the exception to the server, and shows the digest from the
 * response. Uses only the DOM, because React or the style sheet may have failed. server/render/failure-page.ts creates the
 * same page.
 */
export function showFailurePage(thrown: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the failure page refers visitors to the browser's console
  console.error(thrown)
  const main = document.createElement('main')
  main.className = 'standalone'
  const alert = document.createElement('div')
  alert.setAttribute('role', 'alert')
  alert.dataset.failure = ''
  alert.append(textElement('h1', failureSentence('client', location.host)))
  const links = document.createElement('p')
  links.append(link(location.href, failureLinks.reload), link(paths.home(), failureLinks.home))
  main.append(textElement('style', standaloneStyle), alert, links)
  document.title = 'Application error'
  document.documentElement.removeAttribute('data-pending')
  document.documentElement.classList.remove('scripted')
  document.body.replaceChildren(main)
  report(thrown).then(
    digest => alert.append(textElement('p', digestLine(digest))),
    // Without a response, the page shows no digest.
    // biome-ignore lint/suspicious/noConsole: as above
    error => console.error(error),
  )
}

function textElement(name: 'h1' | 'p' | 'style', text: string): HTMLElement {
  const element = document.createElement(name)
  element.textContent = text
  return element
}

function link(href: string, text: string): HTMLElement {
  const element = document.createElement('a')
  element.href = href
  element.textContent = text
  return element
}

async function report(thrown: unknown): Promise<string> {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const response = await fetch(paths.report(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // Completes the request even if the visitor leaves the page.
    keepalive: true,
    body: JSON.stringify({
      type: error.name,
      message: error.message.slice(0, 4000),
      stack: (error.stack ?? '').slice(0, 16_000) || null,
      path: location.pathname,
    }),
  })
  const body: unknown = await response.json()
  if (typeof body === 'object' && body !== null && 'digest' in body && typeof body.digest === 'string') {
    return body.digest
  }
  throw new Error(`The failure report returned status ${response.status}`)
}
