import type { ReactNode } from 'react'
import { isAscii, plainText } from './plain-text.ts'

/** A name from outside, whose direction does not affect the text around it. */
export function Isolated({ text }: { text: string }) {
  return isolated(plainText(text))
}

/** Isolates the direction of a plain text. ASCII needs no element for that. */
export function isolated(text: string): ReactNode {
  return isAscii(text) ? text : <bdi>{text}</bdi>
}
