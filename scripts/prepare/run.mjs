// @ts-check
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './root.mjs'

/**
 * Runs a command in the project's folder. A signal that would end this process ends the command first: nothing
 * goes on in the background.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, inherit?: boolean }} [options] `inherit` shows what it writes at once,
 *   instead of collecting it
 * @returns {Promise<{ code: number, output: string }>} exit code (127 where there is no such command), and what
 *   it wrote on either stream
 */
export async function run(command, args, { env = process.env, inherit = false } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', inherit ? 'inherit' : 'pipe', inherit ? 'inherit' : 'pipe'],
    // npm and npx are batch files there.
    shell: process.platform === 'win32' && command.startsWith('np'),
  })
  /** @param {NodeJS.Signals} signal */
  const pass = signal => {
    child.kill(signal)
    child.once('close', () => process.exit(128 + constants.signals[signal]))
  }
  process.on('SIGINT', pass).on('SIGTERM', pass)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', text => {
      output += text
    })
  }
  try {
    return await new Promise(resolve => {
      child.once('error', error => resolve({ code: 127, output: error.message }))
      child.once('close', code => resolve({ code: code ?? 1, output: output.trim() }))
    })
  } finally {
    process.off('SIGINT', pass).off('SIGTERM', pass)
  }
}
