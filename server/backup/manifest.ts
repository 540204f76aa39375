import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'

export const manifestName = 'manifest.json'

const schema = Type.Object({
  format: Type.Literal(1),
  /** The version of Sixpane that made the backup. Newer versions can restore it, too. */
  version: Type.String(),
  createdMs: Type.Number(),
  events: Type.Integer({ minimum: 0 }),
  /** Paths use forward slashes. */
  files: Type.Array(
    Type.Object({ path: Type.String(), sizeBytes: Type.Integer({ minimum: 0 }), sha256: Type.String() }),
  ),
})

/** Describes a backup, so that a restore can detect damage. */
export type Manifest = Static<typeof schema>

/** Describes the files in a folder. */
export async function describeFolder(
  folder: string,
  about: Pick<Manifest, 'version' | 'createdMs' | 'events'>,
): Promise<Manifest> {
  const paths = await filesIn(folder)
  const files: Manifest['files'] = []
  // One after the other, because a store can have more files than a process may have open at once.
  for (const path of paths) files.push({ path, ...(await describeFile(join(folder, path))) })
  return { format: 1, ...about, files }
}

/**
 * Returns the manifest in a folder after checking that the folder contains exactly the files that the manifest lists.
 * @throws BackupError if the backup is incomplete or damaged
 */
export async function readVerified(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => {
    throw new BackupError('it is not a Sixpane backup, or it is incomplete')
  })
  const manifest = parse(text)
  const paths = (await filesIn(folder)).filter(path => path !== manifestName)
  const expected = new Map(manifest.files.map(file => [file.path, file]))
  const unknown = paths.find(path => !expected.has(path))
  if (unknown !== undefined) throw new BackupError(`its manifest does not list the file ${unknown}`)
  for (const { path, sizeBytes, sha256 } of manifest.files) {
    if (!paths.includes(path)) throw new BackupError(`the file ${path} is missing`)
    const found = await describeFile(join(folder, path))
    if (found.sizeBytes !== sizeBytes || found.sha256 !== sha256)
      throw new BackupError(`the file ${path} is damaged`)
  }
  return manifest
}

/** Thrown if a file is not a backup, or is damaged. The message completes “the backup cannot be restored: …”. */
export class BackupError extends Error {
  override name = 'BackupError'
}

function parse(text: string): Manifest {
  try {
    const manifest: unknown = JSON.parse(text)
    if (Value.Check(schema, manifest)) return manifest
  } catch {
    // Reported below.
  }
  throw new BackupError('its manifest is damaged, or a newer version of Sixpane wrote it')
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    )
    .sort()
}

async function describeFile(path: string): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return { sizeBytes: (await stat(path)).size, sha256: hash.digest('hex') }
}
