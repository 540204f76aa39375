import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

const headerBytes = 3 * 4096
const blockBytes = 256 * 1024

/**
 * Changes a few bytes in each of the middle blocks, as a failing disk would. These blocks contain events. The engine reads
 * the other blocks when it opens the file.
 */
export function damageBlocks(file: string): void {
  const blocks = Math.floor((readFileSync(file).length - headerBytes) / blockBytes)
  if (blocks < 8) throw new Error(`${file} has only ${blocks} blocks`)
  const descriptor = openSync(file, 'r+')
  for (let block = Math.floor(blocks / 4); block < (blocks * 3) / 4; block += 1)
    writeSync(descriptor, 'damaged', headerBytes + block * blockBytes + 1000)
  closeSync(descriptor)
}
