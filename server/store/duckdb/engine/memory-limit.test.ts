import t from 'tap'
import { defaultMemoryBytes } from './memory-limit.ts'

const mebibyte = 1024 ** 2
const gibibyte = 1024 ** 3

t.test(
  'the engine uses a quarter of the memory of the machine or the container, and at most 1 GiB',
  async t => {
    t.equal(defaultMemoryBytes(2 * gibibyte, 0), 512 * mebibyte)
    t.equal(defaultMemoryBytes(64 * gibibyte, 0), gibibyte)
    t.equal(defaultMemoryBytes(64 * gibibyte, gibibyte), 256 * mebibyte, 'a container with a limit')
    t.equal(defaultMemoryBytes(2 * gibibyte, 2 ** 64), 512 * mebibyte, 'a container without a limit')
  },
)
