let lines = ''

function flush(): void {
  const text = lines
  lines = ''
  if (text !== '') process.stdout.write(text)
}

let isFollowed = false

/** Writes a line to the standard output, with the others of the same moment: each write of its own would hold the process up. */
export function writeLine(line: string): void {
  if (!isFollowed) process.once('exit', flush)
  isFollowed = true
  if (lines === '') setImmediate(flush)
  lines += line
}
