import { readdir, readFile } from 'node:fs/promises'

/** Linux counts CPU time in these units (`getconf CLK_TCK`). */
const tickMs = 10

/** Returns the CPU time that all threads of a process have used. Requires /proc. */
export async function cpuMs(pid: number): Promise<number> {
  return (await readStat(`/proc/${pid}/stat`)).cpuMs
}

/** Returns the CPU time of the main thread and of all threads, without the profiler's own thread. */
export async function threadCpuMs(pid: number): Promise<{ main: number; all: number }> {
  const folder = `/proc/${pid}/task`
  const threads = await Promise.all((await readdir(folder)).map(id => readStat(`${folder}/${id}/stat`)))
  const working = threads.filter(({ name }) => !name.startsWith('v8:Prof'))
  const { cpuMs: main } = await readStat(`${folder}/${pid}/stat`)
  return { main, all: working.reduce((sum, thread) => sum + thread.cpuMs, 0) }
}

async function readStat(file: string): Promise<{ name: string; cpuMs: number }> {
  const stat = await readFile(file, 'utf8')
  // The second field is the name, which may contain spaces and brackets.
  const nameEnd = stat.lastIndexOf(')')
  const fields = stat.slice(nameEnd + 2).split(' ')
  return {
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs,
  }
}

/** Returns the resident memory of a process. Requires /proc. */
export async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
}
