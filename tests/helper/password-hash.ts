import { hash } from '@node-rs/argon2'

/** Hashes a password at the least cost there is: tests sign in thousands of times, and what is around the hash is what they test. */
export const quickHash = (password: string): Promise<string> =>
  hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 })
