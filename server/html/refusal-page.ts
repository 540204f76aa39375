import { html } from './html.ts'
import { standaloneContent, standaloneDocument } from './standalone-page.ts'

export type PageLink = { text: string; href: string }

/** Creates a page that says why a request was refused, and what the visitor can do. It loads no other files. */
export function refusalPage(title: string, text: string, links: readonly PageLink[]): string {
  const content = html`<h1>${title}</h1><p>${text}</p><p>${links.map(
    link => html`<a href="${link.href}">${link.text}</a>`,
  )}</p>`
  return standaloneDocument(html`${title}`.text, standaloneContent(content.text))
}
