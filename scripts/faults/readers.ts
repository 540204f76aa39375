import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { paths } from '../../shared/paths.ts'
import { startServer } from '../test/server.ts'
import type { Check } from './check.ts'
import { residentMb } from './memory.ts'
import { withStore } from './seeded-store.ts'

const readerCount = 100

/** One client opens 100 live feeds and does not read them while large events arrive. Another client still gets a feed. */
export const readers: Check = {
  run: isShort =>
    withStore(0, async folder => {
      // Lets the check choose the address of each client.
      const server = await startServer({ SIXPANE_TRUST_PROXY: '127.0.0.1' }, { folder })
      const open = (client: string): Socket => {
        const socket = connect(Number(new URL(server.origin).port), '127.0.0.1').on('error', () => {})
        socket.write(`GET ${paths.live()} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${client}\r\n\r\n`)
        return socket
      }
      const stalled = Array.from({ length: readerCount }, () => open('192.0.2.1').pause())
      try {
        const large = Array.from({ length: 100 }, () => ({ name: 'readers', msg: 'x'.repeat(10_000) }))
        for (let request = 0; request < (isShort ? 2 : 60); request += 1) {
          await server.send(...large)
          await setTimeout(isShort ? 50 : 1000)
        }
        const another = open('198.51.100.1')
        const [head] = await once(another, 'data')
        another.destroy()
        const status = String(head).slice(9, 12)
        const { peak } = await residentMb(server)
        return [
          {
            name: `status for another client while ${readerCount} feeds are not read`,
            value: status,
            goal: '200',
            isMet: status === '200',
          },
          {
            name: 'resident memory, peak',
            value: `${peak} MB`,
            goal: '≤ 600 MB',
            isMet: peak <= 600,
            isTimed: true,
          },
        ]
      } finally {
        for (const socket of stalled) socket.destroy()
        await server.stop()
      }
    }),
}
