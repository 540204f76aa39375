import { execFile } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parsePacked } from '../../shared/packed-json.ts'
import { installPackage } from '../install-package.mjs'
import { root } from '../prepare/root.mjs'
import { readPageTree } from './page-tree.ts'

/** Installs a framework and builds its application, which renders the same elements as a Sixpane page. */
export async function buildReference(name: string, page: string): Promise<string> {
  const folder = await installPackage(`scripts/bench/${name}`)
  await cp(join(root, 'scripts/bench/view'), join(folder, 'view'), { recursive: true })
  const [, data = ''] = /id="page">(.*?)<\/script>/s.exec(page) ?? []
  const content = { content: parsePacked(data), tree: readPageTree(page) }
  await writeFile(join(folder, 'view/page.json'), JSON.stringify(content))
  const env = { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  await promisify(execFile)('npm', ['run', 'build'], { cwd: folder, env })
  return folder
}
