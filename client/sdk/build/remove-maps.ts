import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { commentAtEnd } from '../../cli/sourcemaps/find-maps.ts'

const cssMapComment = /\n\/\*# sourceMappingURL=\S*\s*$/

/** Deletes the maps in the folder. Unless `keepsComments` is set, also removes the comments that refer to them. */
export async function removeMaps(
  folder: string,
  { keepsComments }: { keepsComments: boolean },
): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    if (/\.(?:[cm]?js|css)\.map$/.test(entry.name)) await rm(path)
    else if (/\.(?:[cm]?js|css)$/.test(entry.name) && !keepsComments) await removeComment(path)
  }
}

async function removeComment(path: string): Promise<void> {
  const code = await readFile(path, 'utf8')
  const result = path.endsWith('.css') ? code.replace(cssMapComment, '') : withoutMapComment(code)
  if (result !== code) await writeFile(path, result)
}

function withoutMapComment(code: string): string {
  const comment = commentAtEnd(code, 'sourceMappingURL')
  return comment === null ? code : code.slice(0, comment.from) + code.slice(comment.to)
}
