import { spawn } from 'node:child_process'
import { copyFile, cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { packagesStamp } from './prepare/packages.mjs'
import { root } from './prepare/root.mjs'

/** Creates a server that stops at the second signal or, if it is started during the shutdown, immediately. */
const build = `
  import { mkdirSync, writeFileSync } from 'node:fs'
  const server = \`
    const fs = require('node:fs')
    console.log('started')
    if (fs.existsSync('stopping')) process.exit()
    setInterval(() => {}, 1000)
    process.once('SIGTERM', () => {
      fs.writeFileSync('stopping', '')
      process.once('SIGTERM', () => process.exit())
      console.log('stopping')
    })
  \`
  export async function buildForDevelopment() {
    mkdirSync('dist/server', { recursive: true })
    writeFileSync('dist/server/main.js', server)
  }
`

t.test('Ctrl+C while the server restarts leaves no server running', async t => {
  const folder = t.testdir({
    'package.json': '{}',
    'package-lock.json': '{}',
    node_modules: {},
    scripts: { dev: { 'build.mjs': build } },
    client: {},
    server: { 'main.ts': '' },
    shared: {},
  })
  await cp(join(root, 'scripts', 'prepare'), join(folder, 'scripts', 'prepare'), { recursive: true })
  for (const name of ['prepare.mjs', 'dev.mjs'])
    await copyFile(join(root, 'scripts', name), join(folder, 'scripts', name))
  await writeFile(join(folder, 'node_modules', '.sixpane'), `${await packagesStamp(folder)} all`)
  const dev = spawn(process.execPath, [join(folder, 'scripts', 'dev.mjs')], {
    cwd: folder,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => dev.kill('SIGINT'))
  const lines: string[] = []
  // The output ends when the command and all servers have exited.
  for await (const line of createInterface({ input: dev.stdout })) {
    lines.push(line)
    if (line === 'started') await writeFile(join(folder, 'server', 'main.ts'), 'edited')
    if (line === 'stopping') dev.kill('SIGINT')
  }
  t.same(lines, ['started', 'stopping'])
})
