// @ts-check
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './root.mjs'

/**
 * Runs a command in the repository folder. A signal to this process stops the command first, so that nothing keeps running
 * in the background.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, inherit?: boolean }} [options] `inherit` prints the output
 *   instead of collecting it
 * @returns {Promise<{ code: number, output: string }>} the exit code (127 if the command does
 *   not exist), and the output on both streams
 */
export async function run(command, args, { env = process.env, inherit = false } = {}) {
  const child = spawn(command, args, {
    cwd: root,
    env,
    stdio: ['ignore', inherit ? 'inherit' : 'pipe', inherit ? 'inherit' : 'pipe'],
    // On Windows, npm and npx are batch files.
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
