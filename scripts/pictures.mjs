// @ts-check
/** `npm run pictures`: makes the pictures that the visual tests compare the screens with anew. */
process.env.PICTURES = 'renew'
process.argv.push('client/e2e/visual.test.ts')
await import('./test.mjs')
