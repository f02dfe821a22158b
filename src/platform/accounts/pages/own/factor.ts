import type { AnswerOf } from '#engine'
import { encrypted } from '../../../../screens/candidate/encrypted.ts'
import { call } from '../../../http/browser/call.ts'
import { beginFactor, confirmFactor, type factorState, removeFactor } from '../../contract.ts'

/** What is known of one's own second factor. It is offered to staff whose tenant has not switched it off. */
export type FactorState = AnswerOf<typeof factorState>

/** What an authenticator app needs. */
export type NewFactor = AnswerOf<typeof beginFactor>

/** Codes of refusals that belong to a field. */
export const factorRefusals: Readonly<Record<number, 'password' | 'value'>> = {
  [REFUSAL.auth.passwordRequired]: 'password',
  [REFUSAL.auth.passwordWrong]: 'password',
  [REFUSAL.auth.secondFactorWrong]: 'value',
}

const pass = Object.keys(factorRefusals).map(Number)

async function proof(password: string, value: string) {
  const { keyId, texts } = await encrypted([password])
  return { password: texts[0] ?? '', keyId, ...(value && { value }) }
}

/** Begins to set up a factor; `value` is a code of the present one. @throws as `call` */
export const begin = async (password: string, value: string): Promise<NewFactor> =>
  call(beginFactor, await proof(password, value), { pass })

/** Confirms it by a first code. Answers the recovery codes, which are shown this once. @throws as `call` */
export const confirm = (value: string): Promise<AnswerOf<typeof confirmFactor>> =>
  call(confirmFactor, { value }, { pass })

/** Takes the factor away. @throws as `call` */
export const remove = async (password: string, value: string): Promise<void> => {
  await call(removeFactor, await proof(password, value), { pass })
}
