import t from 'tap'
import { readCommand, UsageError } from './options.ts'

t.test('sends piped input; without input, starts Sixpane', async t => {
  t.same(readCommand([], false), { do: 'pipe', service: null, release: null, url: null })
  t.same(readCommand(['--service', 'shop', '--release=1.4', '--url', 'https://six.example/x'], false), {
    do: 'pipe',
    service: 'shop',
    release: '1.4',
    url: 'https://six.example',
  })
  t.same(readCommand([], true), { do: 'serve' })
  t.same(readCommand(['serve'], false), { do: 'serve' })
})

t.test('parses the sourcemaps upload command', async t => {
  t.same(readCommand(['sourcemaps', 'upload', '--release', '1.4', 'dist/'], true), {
    do: 'upload',
    folder: 'dist/',
    release: '1.4',
    service: null,
    url: null,
    isDryRun: false,
  })
  const upload = ['sourcemaps', 'upload', '--release', '1', 'dist']
  t.match(readCommand([...upload, '--service', 'shop'], true), { service: 'shop' })
  t.match(readCommand([...upload, '--service='], true), { service: '' })
  t.match(readCommand(['sourcemaps', 'upload', 'dist', '--dry-run', '--release', '1'], false), {
    isDryRun: true,
  })
})

t.test('passes the options of the copy command to its program', async t => {
  t.same(readCommand(['copy', '--from', 'data', '--to-file=store'], false), {
    do: 'copy',
    options: ['--from=data', '--to-file=store'],
  })
  for (const args of [
    ['copy'],
    ['copy', '--from', 'a'],
    ['copy', 'a', 'b'],
    ['copy', 'x', '--from=a', '--to=b'],
  ])
    t.throws(() => readCommand(args, false), /usage: sixpane copy --from SOURCE --to TARGET/)
  t.throws(() => readCommand(['--from', 'a'], false), /options of sixpane copy/)
})

t.test('--help and --version take precedence', async t => {
  t.same(readCommand(['sourcemaps', '--help'], true), { do: 'help' })
  t.same(readCommand(['-v'], false), { do: 'version' })
})

t.test('rejects an invalid command line', async t => {
  const wrong: [string[], boolean, RegExp][] = [
    [['start'], false, /unknown command: start/],
    [['serve', 'now'], false, /unknown command: serve now/],
    [['--service'], false, /--service/],
    [['--unknown'], false, /--unknown/],
    [['--url', 'localhost:3000'], false, /--url must be/],
    [['--service', 'shop'], true, /no input/],
    [['--dry-run'], false, /sourcemaps/],
    [['sourcemaps'], false, /sourcemaps upload --release R \[--service NAME\] FOLDER/],
    [['sourcemaps', 'upload', '--release', '1'], false, /FOLDER/],
    [['sourcemaps', 'upload', '--release', '1', 'a', 'b'], false, /FOLDER/],
    [['sourcemaps', 'upload', 'a'], false, /--release R/],
  ]
  for (const [args, isTerminal, message] of wrong) {
    t.throws(() => readCommand(args, isTerminal), new UsageError(''), args.join(' '))
    t.throws(() => readCommand(args, isTerminal), { message }, args.join(' '))
  }
})
