import { type HtmlFragment, htmlFragment } from '../../../shared/html-fragment.ts'
import { html } from '../../html/html.ts'
import type { EnvironmentRow } from './environment-rows.ts'

/**
 * All settings of the server, with links to the forms that can change them. Rendered as HTML, because no script needs the
 * rows.
 */
export function environmentTable(rows: readonly EnvironmentRow[]): HtmlFragment {
  const table = html`<table class="settings-server"><caption class="visually-hidden">Environment variables</caption><thead><tr><th scope="col">Variable</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.map(tableRow)}</tbody></table>`
  return htmlFragment('environment', table.text)
}

function tableRow({ variable, value, meaning, section, environmentValue, isDefault }: EnvironmentRow) {
  const changed =
    environmentValue === null
      ? null
      : html`. <strong>Changed here.</strong> ${isDefault ? 'Default' : 'Environment'}: <code>${environmentValue}</code>`
  const link =
    section === null ? null : html`. <a href="#${section}" aria-label="Change ${variable}">Change</a>`
  return html`<tr><th scope="row">${variable}</th><td dir="auto">${value}</td><td>${meaning.replaceAll('`', '')}${changed}${link}</td></tr>`
}
