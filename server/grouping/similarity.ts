import type { SignatureFrame } from './signature.ts'

/** Similarity above which two stacks may belong to the same bug. */
const nearLimit = 0.75
/** A single frame is little evidence, so it may differ only in its outer folders. */
const singleFrameLimit = 0.95

/** Whether two stacks may belong to the same bug after one function, file or folder was renamed, moved, added or removed. */
export function isNear(a: readonly SignatureFrame[], b: readonly SignatureFrame[]): boolean {
  const { similarity, pairs } = compareStacks(a, b)
  if (pairs >= 2) return similarity > nearLimit
  return a.length === 1 && b.length === 1 && similarity >= singleFrameLimit
}

/** Returns the similarity of two stacks, from 0 (nothing in common) to 1 (equal). Symmetric. */
export function similarityOf(a: readonly SignatureFrame[], b: readonly SignatureFrame[]): number {
  return compareStacks(a, b).similarity
}

type Alignment = { score: number; pairs: number }

/**
 * Aligns two stacks before comparing them, so that an added frame does not shift all its callers. Each frame counts
 * half as much as the frame that it calls, so replacing all callers, or the two innermost functions, never yields a near
 * match. The throwing frames are always compared with each other.
 */
function compareStacks(
  a: readonly SignatureFrame[],
  b: readonly SignatureFrame[],
): { similarity: number; pairs: number } {
  const [throwingA, throwingB] = [a[0], b[0]]
  const innermost =
    throwingA === undefined || throwingB === undefined ? 0 : frameSimilarity(throwingA, throwingB)
  if (innermost === 0) return { similarity: 0, pairs: 0 }
  let row: Alignment[] = Array.from({ length: b.length }, () => ({ score: 0, pairs: 0 }))
  for (const [i, frameA] of a.slice(1).entries()) {
    const next: Alignment[] = [{ score: 0, pairs: 0 }]
    for (const [j, frameB] of b.slice(1).entries()) {
      const similarity = frameSimilarity(frameA, frameB)
      const inner = row[j] ?? { score: 0, pairs: 0 }
      const weight = (weightAt(i + 1) + weightAt(j + 1)) / 2
      const paired = { score: inner.score + weight * similarity, pairs: inner.pairs + Number(similarity > 0) }
      next.push(better(better(paired, row[j + 1]), next[j]))
    }
    row = next
  }
  const { score, pairs } = row.at(-1) ?? { score: 0, pairs: 0 }
  const total = (totalWeight(a.length) + totalWeight(b.length)) / 2
  return { similarity: (innermost + score) / total, pairs: pairs + 1 }
}

function better(a: Alignment, b: Alignment | undefined): Alignment {
  if (b === undefined) return a
  return b.score > a.score || (b.score === a.score && b.pairs > a.pairs) ? b : a
}

function weightAt(index: number): number {
  return 1 / 2 ** index
}

function totalWeight(frames: number): number {
  return 2 - 1 / 2 ** (frames - 1)
}

/**
 * Returns the similarity of two frames from 0 to 1. Frames that share neither a function name nor a file name have a
 * similarity of 0.
 */
function frameSimilarity(a: SignatureFrame, b: SignatureFrame): number {
  const isSameFile = a.file === b.file
  if (a.functionName === b.functionName && isSameFile) return 1
  if (a.functionName === null || b.functionName === null || a.functionName !== b.functionName) {
    // A renamed function, or another function in the same file
    if (isSameFile) return 0.65
    return isSameName(a, b) ? (a.functionName === b.functionName ? 0.5 : 0.3) : 0
  }
  if (isSameName(a, b)) return parentOf(a.file) === parentOf(b.file) ? 0.95 : 0.9
  return folderOf(a.file) === folderOf(b.file) ? 0.85 : 0.7
}

function isSameName(a: SignatureFrame, b: SignatureFrame): boolean {
  return nameOf(a.file) === nameOf(b.file)
}

function nameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

function folderOf(file: string): string {
  return file.slice(0, Math.max(file.lastIndexOf('/'), 0))
}

/** Returns the name of the innermost folder. */
function parentOf(file: string): string {
  return nameOf(folderOf(file))
}
