// @ts-check

/**
 * Stops this process when its shell exits. npm runs scripts in a shell, and some shells do not forward signals, so stopping
 * `npm start` would leave this process running.
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
