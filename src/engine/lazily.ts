/**
 * A value that is made when it is first asked for. What the `Intl` classes need is read from the program's file: a process that formats
 * nothing does without these megabytes.
 */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
