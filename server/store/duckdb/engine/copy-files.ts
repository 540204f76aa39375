import { constants, createWriteStream, read } from 'node:fs'
import { copyFile, link, mkdir, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { errorCode } from '../../../../shared/error-code.ts'
import { walOf } from './attach.ts'

/** The suffix of a file that is still being written. */
export const unfinished = '.part'

const readAt = promisify(read)
const readBytes = 256 * 1024

/** Copies a database file and its write-ahead log, if any. Nothing may write to the database during the copy. */
export async function copyDatabase(path: string, folder: string): Promise<void> {
  await copyExisting(path, join(folder, basename(path)))
  await copyIfPresent(walOf(path), join(folder, basename(walOf(path))))
}

/**
 * Copies a database file that is open as `descriptor`, and its write-ahead log. Does not close the descriptor. Nothing may
 * write to the database during the copy.
 */
export async function copyOpenDatabase(descriptor: number, path: string, folder: string): Promise<void> {
  await pipeline(contentOf(descriptor), createWriteStream(join(folder, basename(path))))
  await copyIfPresent(walOf(path), join(folder, basename(walOf(path))))
}

/** Reads a file. A `ReadStream` would close the descriptor if the writer failed, even with `autoClose: false`. */
async function* contentOf(descriptor: number): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await readAt(descriptor, { buffer: Buffer.alloc(readBytes), position })
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

/** A file, and where to copy it. */
export type FileCopy = { file: string; copy: string }

/**
 * Creates hard links to the files of a folder, so that their content is stored only once. The files must never change.
 * @returns the files that cannot be linked, for example because the file system has no links
 */
export async function linkFolder(from: string, to: string): Promise<FileCopy[]> {
  const names = await readdir(from).catch(() => [])
  const finished = names.filter(name => !name.endsWith(unfinished))
  if (finished.length > 0) await mkdir(to)
  const notLinked: FileCopy[] = []
  for (const name of finished) {
    const [file, copy] = [join(from, name), join(to, name)]
    await link(file, copy).catch(() => notLinked.push({ file, copy }))
  }
  return notLinked
}

export async function copyIfPresent(from: string, to: string): Promise<void> {
  await copyExisting(from, to).catch(error => {
    if (errorCode(error) !== 'ENOENT') throw error
  })
}

/** On copy-on-write file systems, both files share their blocks until one of the files changes. */
function copyExisting(from: string, to: string): Promise<void> {
  return copyFile(from, to, constants.COPYFILE_FICLONE)
}
