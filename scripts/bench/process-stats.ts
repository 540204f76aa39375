import { readFile } from 'node:fs/promises'

/** Linux counts CPU time in these units (`getconf CLK_TCK`). */
const tickMs = 10

/** Returns the CPU time that all threads of a process have used. Requires /proc. */
export function cpuMs(pid: number): Promise<number> {
  return readCpuMs(`/proc/${pid}/stat`)
}

/** Returns the CPU time that the main thread of a process has used. */
export function mainThreadCpuMs(pid: number): Promise<number> {
  return readCpuMs(`/proc/${pid}/task/${pid}/stat`)
}

async function readCpuMs(file: string): Promise<number> {
  const stat = await readFile(file, 'utf8')
  // The second field is the program's name, which may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * tickMs
}

/** Returns the resident memory of a process. Requires /proc. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}
