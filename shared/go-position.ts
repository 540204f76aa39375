/** The position of a frame in Go, on the line below the function: `	/app/main.go:10 +0x45`. Captures the file and the line. */
export const goPosition = /^(?:\t| {2,8})(\S.{0,1000}\.(?:go|s|c)):(\d{1,9})(?: \+0x[\da-f]{1,16})?\s*$/
