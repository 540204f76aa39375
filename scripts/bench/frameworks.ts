import { fetchPage } from './page-request.ts'
import { countElements } from './page-tree.ts'
import { type Served, serve } from './processes.ts'
import { buildReference } from './references.ts'

export const frameworkNames = {
  nextServer: 'Next.js 16, server components, prepared content',
  nextClient: 'Next.js 16, one client component, prepared content',
  reactRouter: 'React Router 7, framework mode, prepared content',
  tanStack: 'TanStack Start, prepared content',
} as const

/** The URLs of one page in several frameworks. */
export type Frameworks = Record<keyof typeof frameworkNames, string>

/**
 * Builds and starts the reference applications.
 * @throws Error if a page's number of elements differs from that of Sixpane's page by more than two
 */
export async function startFrameworks(
  page: string,
  report: (text: string) => void,
): Promise<{ urls: Frameworks; servers: Served[] }> {
  report('Building the frameworks')
  const next = await serve(['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', '0'], {
    cwd: await buildReference('next', page),
    env: { NEXT_TELEMETRY_DISABLED: '1' },
  })
  const reactRouter = await serve(['start.mjs'], { cwd: await buildReference('react-router', page) })
  const tanStack = await serve(['start.mjs'], { cwd: await buildReference('tanstack-start', page) })
  const urls = {
    nextServer: `${next.origin}/server`,
    nextClient: `${next.origin}/client`,
    reactRouter: `${reactRouter.origin}/dashboard`,
    tanStack: `${tanStack.origin}/dashboard`,
  }
  const expected = countElements(page)
  for (const url of Object.values(urls)) {
    const elements = countElements(await fetchPage(url, ''))
    // Next.js adds one element.
    if (Math.abs(elements - expected) > 2)
      throw new Error(`${url} has ${elements} elements instead of ${expected}`)
  }
  return { urls, servers: [next, reactRouter, tanStack] }
}
