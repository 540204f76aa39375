// @ts-check

/**
 * npm runs a script through a shell, and some shells pass no signal on: `npm start` that is told to stop would leave
 * this process behind. Once the shell has gone, this process is told to stop too.
 */
export function stopWithShell() {
  if (process.env.npm_lifecycle_event === undefined) return
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  timer.unref()
}
