import { encrypted } from '../../../../screens/candidate/encrypted.ts'
import { call } from '../../../http/browser/http.ts'

const PATH = '/blade-system/user/second-factor'

/** Where the second factor of a person is asked for. */
export const factorPath = PATH

/** What is known of one's own second factor. */
export interface FactorState {
  /** One of the staff, where the tenant has not switched it off. */
  isOffered: boolean
  isRequired: boolean
  isEnrolled: boolean
  recoveryLeft: number
}

/** What an authenticator app needs. */
export interface NewFactor {
  secret: string
  uri: string
}

/** Codes of refusals that belong to a field. */
export const factorRefusals: Readonly<Record<number, 'password' | 'value'>> = {
  [REFUSAL.auth.passwordRequired]: 'password',
  [REFUSAL.auth.passwordWrong]: 'password',
  [REFUSAL.auth.secondFactorWrong]: 'value',
}

const pass = Object.keys(factorRefusals).map(Number)

async function proof(password: string, value: string) {
  const { keyId, texts } = await encrypted([password])
  return { password: texts[0], keyId, ...(value && { value }) }
}

/** Begins to set up a factor; `value` is a code of the present one. @throws as `call` */
export const begin = async (password: string, value: string): Promise<NewFactor> =>
  call('POST', `${PATH}/begin`, { data: await proof(password, value), pass })

/** Confirms it by a first code. Answers the recovery codes, which are shown this once. @throws as `call` */
export const confirm = (value: string): Promise<{ recoveryCodes: string[] }> =>
  call('POST', `${PATH}/confirm`, { data: { value }, pass })

/** Takes the factor away. @throws as `call` */
export const remove = async (password: string, value: string): Promise<void> =>
  call('POST', `${PATH}/remove`, { data: await proof(password, value), pass })
