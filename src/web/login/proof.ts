import { work } from './server.ts'

/** Milliseconds after which a calculation that has not been used is done again; the server takes it a little longer. */
const KEEP = 15 * 60_000

/** What a call carries that proves a calculation; nothing where the site asks for none. */
export interface Proof {
  captcha: string
  captchaKey: string
}

const NONE: Proof = { captcha: '', captchaKey: '' }

let next: { proof: Promise<Proof>; since: number } | undefined

async function calculate(): Promise<Proof> {
  const [{ key, work: asked }, { solve }] = await Promise.all([work(), import('../../platform/http/browser/work.ts')])
  if (!asked) throw new Error('No calculation came.')
  return { captchaKey: key, captcha: String(await solve(asked)) }
}

/** Begins to calculate while the person is still typing. */
export function calculateAhead(): void {
  if (next && Date.now() - next.since < KEEP) return
  const proof = calculate()
  next = { proof, since: Date.now() }
  proof.catch(() => {
    next = undefined
  })
}

/** The result of a calculation, for one call. @param wanted false where the site asks for none */
export async function takeProof(wanted: boolean): Promise<Proof> {
  if (!wanted) return NONE
  calculateAhead()
  const { proof } = next as NonNullable<typeof next>
  next = undefined
  return proof
}
