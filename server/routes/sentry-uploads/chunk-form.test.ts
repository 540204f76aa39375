import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { HttpError } from '../../http/http-error.ts'
import { readChunks } from './chunk-form.ts'
import { formOf, sha1Of } from './testing.ts'
import { uploadLimits } from './upload-limits.ts'

async function read(body: Buffer, contentType: string) {
  const chunks: { sha1: string; text: string }[] = []
  for await (const { sha1, bytes } of readChunks(body, contentType)) {
    chunks.push({ sha1, text: bytes.toString('latin1') })
  }
  return chunks
}

const one = Buffer.from('one')
const two = Buffer.from('two\r\n--x\0')

t.test('reads compressed and uncompressed chunks', async t => {
  const { body, contentType } = await formOf([
    { field: 'file', name: sha1Of(one), content: one },
    { field: 'file_gzip', name: sha1Of(two), content: gzipSync(two) },
  ])
  t.same(await read(body, contentType), [
    { sha1: sha1Of(one), text: 'one' },
    { sha1: sha1Of(two), text: 'two\r\n--x\0' },
  ])
})

t.test('rejects hostile forms and reports the reason', async t => {
  const name = sha1Of(one)
  const many = Array.from({ length: uploadLimits.chunksPerRequest + 1 }, () => ({
    field: 'file',
    name,
    content: one,
  }))
  const zeros = Buffer.alloc(uploadLimits.chunkBytes + 1)
  const cases = [
    { files: [{ field: 'file', name: sha1Of(two), content: one }], status: 400, message: /SHA-1/ },
    { files: [{ field: 'file', name: '../x', content: one }], status: 400, message: /SHA-1/ },
    { files: [{ field: 'other', name, content: one }], status: 400, message: /`file_gzip`/ },
    { files: [{ field: 'file_gzip', name, content: one }], status: 400, message: /not gzip/ },
    {
      files: [{ field: 'file_gzip', name, content: gzipSync(Buffer.alloc(1000)).subarray(0, 20) }],
      status: 400,
      message: /incomplete/,
    },
    {
      files: [{ field: 'file_gzip', name: sha1Of(zeros), content: gzipSync(zeros) }],
      status: 413,
      message: /1048576 bytes/,
    },
    {
      files: [{ field: 'file', name: sha1Of(zeros), content: zeros }],
      status: 413,
      message: /1048576 bytes/,
    },
    { files: many, status: 413, message: /at most 4 chunks/ },
  ]
  for (const { files, status, message } of cases) {
    const { body, contentType } = await formOf(files)
    await t.rejects(read(body, contentType), { statusCode: status, message })
  }
  const { body, contentType } = await formOf([{ field: 'file', name, content: one }])
  await t.rejects(read(body.subarray(0, 80), contentType), { statusCode: 400, message: /incomplete/ })
  await t.rejects(read(body, 'application/json'), { statusCode: 400, message: /boundary/ })
  await t.rejects(read(body, 'multipart/form-data'), { statusCode: 400, message: /boundary/ })
})

t.test('property: an arbitrary body is rejected or yields only chunks that match their SHA-1', async t => {
  const { body, contentType } = await formOf([{ field: 'file', name: sha1Of(one), content: one }])
  const changed = fc
    .tuple(fc.nat({ max: body.length - 1 }), fc.nat({ max: 255 }), fc.nat({ max: body.length }))
    .map(([at, byte, end]) => {
      const copy = Buffer.from(body)
      copy[at] = byte
      return end < 10 ? copy.subarray(0, end) : copy
    })
  const bytes = fc.uint8Array({ maxLength: 200 }).map(each => Buffer.from(each))
  await fc.assert(
    fc.asyncProperty(fc.oneof(changed, bytes), async each => {
      try {
        return (await read(each, contentType)).every(
          ({ sha1, text }) => sha1 === sha1Of(Buffer.from(text, 'latin1')),
        )
      } catch (error) {
        return error instanceof HttpError && error.statusCode < 500
      }
    }),
    { numRuns: 200 },
  )
  t.pass()
})
