import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Asks on the terminal for a text that is not shown. */
async function askHidden(question: string): Promise<string> {
  // The line editor writes what is typed to its output: here to none.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  process.stderr.write(question)
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

/**
 * The passphrase of a backup, as it is typed on the terminal.
 * @param isNew asked for twice, so that a slip of the hand makes no backup that nobody opens
 * @returns undefined where there is no terminal, or nothing is typed
 * @throws when the two differ
 */
export async function askPassphrase({ isNew }: { isNew: boolean }): Promise<string | undefined> {
  if (!process.stdin.isTTY) return undefined
  const typed = await askHidden('Passphrase of the backup: ')
  if (isNew && (await askHidden('Once more: ')) !== typed) throw new Error('The two passphrases differ.')
  return typed || undefined
}
