import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../prepare/root.mjs'

const document = join(root, 'docs/performance.md')

/** The parts of docs/performance.md that the benchmark writes. */
export type Section = 'table' | 'profile'

/** Replaces a part of docs/performance.md. */
export async function writeToDocument(section: Section, content: string): Promise<void> {
  await writeFile(document, replaceSection(await readFile(document, 'utf8'), section, content))
}

/** @throws Error if the text does not contain both markers of the section */
export function replaceSection(text: string, section: Section, content: string): string {
  const [start, end] = [`<!-- ${section}: start -->`, `<!-- ${section}: end -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from === -1 || to < from)
    throw new Error(`The document does not contain both markers of the ${section}`)
  return `${text.slice(0, from)}${start}\n\n${content}\n\n${text.slice(to)}`
}
