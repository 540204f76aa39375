export const runtime = 'edge'

export async function GET() {
  throw new Error('failed in edge-route')
}
