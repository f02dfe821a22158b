import { newKey } from '../../platform/http/browser/http.ts'

async function digest(salt: string, password: string): Promise<string> {
  const { sm3 } = await import('sm-crypto')
  return `${salt}.${sm3(salt + password)}`
}

/** What is kept of a lock password: a salt and a digest, never the password. */
export function lockMark(password: string): Promise<string> {
  return digest(newKey(), password)
}

/** True when the password is the one the mark was made of. */
export async function opens(mark: string, password: string): Promise<boolean> {
  return (await digest(mark.split('.')[0] ?? '', password)) === mark
}
