import { createRequire } from 'node:module'
import os from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type * as Argon2 from '@node-rs/argon2'
import { sm2Reader } from './sm2.ts'

/** What `password-threads.ts` asks: the hash of a password, or whether one belongs to a hash. */
interface HashQuestion {
  readonly password: string
  /** The hash it is held against; without one the password's own hash is wanted. */
  readonly against?: string
}

/** A cipher text of SM2 that is to be read. */
interface CipherQuestion {
  readonly cipher: string
  /** 64 hex characters. */
  readonly privateKey: string
}

/** What `password-threads.ts` asks. */
export type PasswordQuestion = HashQuestion | CipherQuestion

// argon2id, the library's own choice among the variants. Of the costs that OWASP's cheat sheet of password storage holds equal it is
// the one that takes the least processor time beside 19 MiB.
const settings = { memoryCost: 12_288, timeCost: 3, parallelism: 1 }

// This text is run by itself, so the package is found from where the program stands.
const { hashSync, verifySync } = createRequire((workerData as { from: string }).from)(
  '@node-rs/argon2',
) as typeof Argon2

// Linux gives each thread a priority of its own: whoever answers requests goes first. Elsewhere it would be the whole process's.
if (process.platform === 'linux') os.setPriority(5)

function verify(against: string, password: string): boolean {
  try {
    return verifySync(against, password)
  } catch {
    return false
  }
}

const readers = new Map<string, (cipher: string) => string | null>()

function read({ cipher, privateKey }: CipherQuestion): string | null {
  let reader = readers.get(privateKey)
  if (!reader) {
    reader = sm2Reader(privateKey)
    readers.set(privateKey, reader)
  }
  return reader(cipher)
}

function answer(question: PasswordQuestion): string | boolean | null {
  if ('cipher' in question) return read(question)
  const { password, against } = question
  return against === undefined ? hashSync(password, settings) : verify(against, password)
}

parentPort?.on('message', (question: PasswordQuestion) => parentPort?.postMessage(answer(question)))
