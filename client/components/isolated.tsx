import type { ReactNode } from 'react'
import { isAscii, plainText } from './plain-text.ts'

/** A name from an event. Its text direction does not affect the surrounding text. */
export function Isolated({ text }: { text: string }) {
  return isolated(plainText(text))
}

/** Isolates the direction of plain text. ASCII text does not need an element. */
export function isolated(text: string): ReactNode {
  return isAscii(text) ? text : <bdi>{text}</bdi>
}
