import { announce } from './announce.ts'
import { showProblem } from './page-notice.ts'

/** Copies text to the clipboard and reports the result. Returns whether it was copied. */
export async function copyText(text: string): Promise<boolean> {
  const isCopied = await writeToClipboard(text)
  if (isCopied) announce('Copied')
  else showProblem('The browser blocked copying')
  return isCopied
}

async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

/** Over plain HTTP, browsers offer the Clipboard API only on loopback addresses, but can copy a selection. */
function copySelection(text: string): boolean {
  const focused = document.activeElement
  // While a modal dialog is open, elements outside it cannot be selected.
  const parent = document.querySelector('dialog[open]') ?? document.body
  const field = document.createElement('textarea')
  field.className = 'visually-hidden'
  field.value = text
  parent.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  return isCopied
}
