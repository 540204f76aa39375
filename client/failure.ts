import { digestLine, failureSentence } from '../shared/failure-page.ts'
import { paths } from '../shared/paths.ts'

/**
 * Shows the generic failure page in place of a screen that an exception in the browser kept from loading, sends
 * the exception to the server, and shows the digest once that has answered. Uses nothing that may have failed:
 * no React, no styles that must load.
 */
export function showFailure(thrown: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the page sends its reader to the browser's console
  console.error(thrown)
  const main = document.createElement('main')
  main.className = 'failure-page'
  const alert = document.createElement('div')
  alert.setAttribute('role', 'alert')
  alert.append(line('h1', failureSentence('client', location.host)))
  main.append(alert)
  document.title = 'Application error'
  document.documentElement.removeAttribute('data-pending')
  document.body.replaceChildren(main)
  report(thrown).then(
    digest => alert.append(line('p', digestLine(digest))),
    // The wording stands without a digest; the report's own failure is in the console for who looks there.
    // biome-ignore lint/suspicious/noConsole: likewise
    failure => console.error(failure),
  )
}

function line(name: 'h1' | 'p', text: string): HTMLElement {
  const element = document.createElement(name)
  element.textContent = text
  return element
}

async function report(thrown: unknown): Promise<string> {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const answer = await fetch(paths.report(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    // A report may outlive the page: the visitor who leaves at once still tells.
    keepalive: true,
    body: JSON.stringify({
      type: error.name,
      message: error.message.slice(0, 4000),
      stack: (error.stack ?? '').slice(0, 16_000) || null,
      path: location.pathname,
    }),
  })
  const body: unknown = await answer.json()
  if (typeof body === 'object' && body !== null && 'digest' in body && typeof body.digest === 'string') {
    return body.digest
  }
  throw new Error(`The report of the failure was answered with ${answer.status}`)
}
