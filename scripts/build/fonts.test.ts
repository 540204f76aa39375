import { fileURLToPath } from 'node:url'
import t from 'tap'
import { fontSubset } from './fonts.mjs'

const fonts = [
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
]

for (const font of fonts) {
  t.test(`the reduced ${font} contains its copyright and licence`, async t => {
    const path = fileURLToPath(import.meta.resolve(font))
    // Names are in UTF-16, big-endian.
    const text = Buffer.from(await fontSubset(path, 'sfnt'))
      .toString('latin1')
      .replaceAll('\0', '')
    t.match(text, /Copyright/)
    t.match(text, /openfontlicense.org|scripts.sil.org\/OFL|SIL Open Font License/)
  })
}
