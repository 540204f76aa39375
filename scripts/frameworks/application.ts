import type { Page } from '@playwright/test'

/** An application that uses a framework, and fails in several ways. */
export type Application = {
  /** Shown in the table, such as `Next.js 16.4 (Turbopack)`. */
  name: string
  /** The folder in `scripts/frameworks` with the sources that all versions share. */
  folder: string
  /** The subfolder with the manifest and the sources of this version. */
  version: string
  /** Whether this is the newest major version, which is the only one that `--newest` checks. */
  isNewest: boolean
  /** The version of Node that builds and runs the application; default: the version that runs the checks. */
  node?: string
  /** Environment of the build and of the server. */
  env: Readonly<Record<string, string>>
  /** Shell commands, run in the application's folder. The server must listen on 127.0.0.1 and the port `$PORT`. */
  build: string
  start: string
  /** Whether the server's output is piped through the `sixpane` command, because the framework reports no failures. */
  isPiped: boolean
  /** Finds the id of a failure in the text that a visitor sees. */
  visibleId: RegExp
  failures: readonly FailureKind[]
  /**
   * Causes errors that must not be reported, and checks other behaviour of the application.
   * @throws Error if a check fails
   */
  checkOthers?: (page: Page, origin: string) => Promise<void>
}

/** A failure that the check causes in an application. The error's message is `failed in <name>`. */
export type FailureKind = {
  name: string
  /** Shown in the table. */
  title: string
  path: string
  /** The start of the failing request's path; default: `path`. */
  requestPath?: string
  /** Name of a button that causes the failure; `null` if the page itself fails. */
  button: string | null
  /** The source file that throws, relative to the application. */
  source: string
  /** The message of another failure that the framework throws because of this one. */
  alsoStored?: string
}
