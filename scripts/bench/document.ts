import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceSection } from '../markdown.ts'
import { root } from '../prepare/root.mjs'

const document = join(root, 'docs/performance.md')

/** The parts of docs/performance.md that the benchmark writes. */
export type Section = 'table' | 'profile'

/** Replaces a part of docs/performance.md. */
export async function writeToDocument(section: Section, content: string): Promise<void> {
  await writeFile(document, replaceSection(await readFile(document, 'utf8'), section, content))
}
