import type { AnswerOf } from '#engine'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { siteInfo } from '../../../http/contract.ts'

/** What the site is like, as far as forms about a person ask. */
export type Site = Pick<
  AnswerOf<typeof siteInfo>,
  'registerMode' | 'captchaMode' | 'smsMode' | 'registerSms' | 'smsSandbox' | 'asksProof'
>

/** Asks what the site is like. */
export const useSite = () => useContract(siteInfo, {})
