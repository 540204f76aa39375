import { announce } from './announce.ts'

/** Copies text to the clipboard and announces the result. Returns whether it was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    announce('Copied')
    return true
  } catch {
    announce('Copying was blocked by the browser')
    return false
  }
}
