// @ts-check
// Loaded into a server with --import. Each SIGUSR2 prints the longest turn of the event loop since the previous signal.
import { openSync, readSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  // `schedstat` starts with two durations in nanoseconds: the thread's CPU time, and the time in which it was ready to run but
  // waited for a CPU. The elapsed time excludes this wait, because it depends on other processes.
  const scheduling = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const buffer = Buffer.alloc(100)
  const measure = () => {
    const text = buffer.toString('latin1', 0, readSync(scheduling, buffer, 0, buffer.length, 0))
    const [cpuNs = 0, waitingNs = 0] = text.split(' ').map(Number)
    return { cpuMs: cpuNs / 1e6, elapsedMs: performance.now() - waitingNs / 1e6 }
  }

  let longest = { cpuMs: 0, elapsedMs: 0 }
  let previous = measure()
  // The timer runs after every turn that takes longer than 1 ms.
  setInterval(() => {
    const now = measure()
    longest = {
      cpuMs: Math.max(longest.cpuMs, now.cpuMs - previous.cpuMs),
      elapsedMs: Math.max(longest.elapsedMs, now.elapsedMs - previous.elapsedMs),
    }
    previous = now
  }, 1).unref()

  process.on('SIGUSR2', () => {
    process.stdout.write(`${JSON.stringify({ msg: 'Longest turn', ...longest })}\n`)
    longest = { cpuMs: 0, elapsedMs: 0 }
    previous = measure()
  })
}
