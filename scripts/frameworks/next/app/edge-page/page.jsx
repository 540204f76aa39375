export const runtime = 'edge'

export default function Page() {
  throw new Error('failed in edge-page')
}
