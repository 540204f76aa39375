import t from 'tap'
import { type CpuProfile, sampledStacks } from './cpu-profile.ts'
import { durationsByStep, pageSteps } from './profile-steps.ts'

const frame = (functionName: string) => ({ functionName, url: '', lineNumber: 0, columnNumber: 0 })
const sourceOf = ({ functionName }: { functionName: string }) => functionName

const profile: CpuProfile = {
  startTime: 1000,
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 3] },
    { id: 2, callFrame: frame('server/render/encode.ts'), children: [4] },
    { id: 3, callFrame: frame('(idle)') },
    { id: 4, callFrame: frame('node:zlib') },
  ],
  samples: [4, 3, 4, 2, 4],
  timeDeltas: [10, 20, 30, 40, 50],
}

t.test('stacks exclude idle time and samples outside the interval', async t => {
  const stacks = sampledStacks(profile, 1020, 1120, sourceOf)
  t.same(stacks, [
    { sources: ['node:zlib', 'server/render/encode.ts', '(root)'], durationUs: 30 },
    { sources: ['server/render/encode.ts', '(root)'], durationUs: 40 },
  ])
})

t.test('a stack belongs to the step of its innermost known location', async t => {
  const durations = durationsByStep(
    [
      { sources: ['node:zlib', 'server/render/encode.ts', 'npm:fastify/lib/route.js'], durationUs: 1 },
      { sources: ['npm:react-dom/cjs/server.js', 'server/render/buffered.tsx'], durationUs: 2 },
      { sources: ['(garbage collector)', 'server/store/summary.ts'], durationUs: 4 },
      { sources: ['unknown'], durationUs: 8 },
    ],
    pageSteps,
  )
  t.same(
    [...durations],
    [
      ['compression', 1],
      ['React and components', 2],
      ['garbage collector', 4],
      ['other', 8],
    ],
  )
})
