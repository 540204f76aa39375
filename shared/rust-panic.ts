/** Whether a line is the first line of a Rust panic: `thread 'main' panicked at src/main.rs:3:5:`. */
export function isRustPanic(line: string): boolean {
  return /^thread '[^']{0,200}' (?:\(\d{1,20}\) )?panicked at /.test(line)
}
