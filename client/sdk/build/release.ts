import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'

/**
 * Returns the release of the build: the option, else the first variable that is set, else the git commit, else a random id.
 * Sets `SIXPANE_RELEASE`, because Next.js also evaluates the configuration in worker processes.
 */
export function releaseOf(option: string | undefined, env: NodeJS.ProcessEnv, folder: string): string {
  const release =
    option ||
    env.SIXPANE_RELEASE ||
    env.NEXT_DEPLOYMENT_ID ||
    env.VERCEL_GIT_COMMIT_SHA ||
    gitCommit(folder) ||
    randomUUID()
  env.SIXPANE_RELEASE = release
  return release
}

/** Returns the commit that is checked out in the folder, or `null` without git or a repository. */
function gitCommit(folder: string): string | null {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return commit.trim() || null
  } catch {
    return null
  }
}
