import { isLatin, plainText } from './plain-text.ts'

/** A name from outside, whose direction does not affect the text around it. ASCII needs no element for that. */
export function Isolated({ text }: { text: string }) {
  const shown = plainText(text)
  return isLatin(shown) ? shown : <bdi>{shown}</bdi>
}
