import { captcha } from '../contract.ts'
import { call } from './call.ts'

/** Does the calculation that the server asks for instead of a picture. @returns the headers that prove it, which serve once */
export async function workHeaders(): Promise<Partial<Record<'Captcha-Key' | 'Captcha-Code', string>>> {
  const asked = call(captcha, { kind: 'work' })
  const [{ key, work }, { solve }] = await Promise.all([asked, import('./work.ts')])
  // Another Blade server than ours asks for none.
  if (!work) return {}
  return { 'Captcha-Key': key, 'Captcha-Code': String(await solve(work)) }
}
