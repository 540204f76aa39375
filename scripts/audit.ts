/**
 * `npm run audit`: fails if a package in the lockfile has a known vulnerability without an entry in audit/triage.json, or if
 * an entry has expired or is no longer needed. The audit is not part of `npm test`, because a new advisory must not break an
 * unchanged commit, and because it needs the network.
 */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { compareAudit } from './audit/compare.ts'
import { root } from './prepare/root.mjs'

const npm = spawn('npm', ['audit', '--json'], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
const report: unknown = JSON.parse((await text(npm.stdout)) || 'null')
const triage: unknown = JSON.parse(await readFile(join(root, 'scripts', 'audit', 'triage.json'), 'utf8'))
const problems = problemsOf()
for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log('Every known vulnerability has an entry in scripts/audit/triage.json')
process.exitCode = problems.length === 0 ? 0 : 1

function problemsOf(): string[] {
  try {
    return compareAudit(report, triage, new Date().toISOString().slice(0, 10))
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
