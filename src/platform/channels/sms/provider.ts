import type { SmsVendor } from '#schemas/dictionaries'
import { callOnce, NoAnswer, type ProviderAnswer } from '../outside/call-once.ts'
import { SmsError } from './channel.ts'

/** Key in dictionary `sms` of a provider outside; the simulated one keeps what it sends. */
export type ProviderKey = Exclude<keyof typeof SmsVendor, 'simulated'>

/** The keys to an account at a provider, in clear, as its row of the settings has them. */
export interface SmsAccount {
  accessKey: string
  /** Empty where the provider has none. */
  secretKey: string
  /** Empty where nothing is said. */
  regionId: string
  appId: string
}

/** A message as a provider is handed it. */
export interface OutgoingSms {
  /** Our own number. */
  id: string
  phone: string
  signName: string
  /** The provider's number of the template. */
  templateId: string
  /** Names and values of the template, in the order in which it uses them first. */
  params: readonly (readonly [name: string, value: string])[]
}

/** A message that was handed to a provider, or may have been. */
export interface SentSms {
  /** Our own number. */
  id: string
  phone: string
  /** The provider's number; null while nobody knows whether it was taken. */
  bizNo: string | null
  time: Date
}

/** What a provider knows of a message. */
export type Delivery =
  | { readonly state: 'taken' | 'arrived' | 'never' | 'cannot'; readonly problem?: undefined }
  | { readonly state: 'failed'; readonly problem: string }

/** A receipt as a provider tells it, which proves nothing: it counts where its numbers and its phone are those of a message. */
export interface ToldReceipt {
  /** Our own number, where the provider sends it back. */
  id: string | null
  bizNo: string
  /** Without the number of the country. */
  phone: string
  problem: string | null
}

/** An account at a provider. */
export interface SmsProvider {
  /**
   * Hands a message over, once.
   * @returns the provider's number
   * @throws SmsError
   */
  send(message: OutgoingSms): Promise<{ bizNo: string }>
  /**
   * Asks what became of a message.
   * @throws SmsError when nothing is known
   */
  query(sent: SentSms): Promise<Delivery>
}

/** What an adapter works with. */
export interface ProviderAround {
  /** Where the provider is reached, `https://sms.example.com`. */
  host: string
  fetch: typeof fetch
  /** The time of the world: providers compare with it. */
  now: () => Date
}

/** A provider of text messages, the default export of `kind.ts` in its folder. */
export interface SmsProviderKind {
  readonly key: ProviderKey
  /** Where its calls are. */
  readonly host: string
  open(account: SmsAccount, around: ProviderAround): SmsProvider
  /**
   * Reads receipts that the provider has sent.
   * @param body what it sent, as text
   * @throws when that is no receipt
   */
  readReceipts(body: string): ToldReceipt[]
  /** What it wants to hear once its receipts are kept; otherwise it sends them again. */
  readonly thanks: { readonly type: string; readonly body: string }
}

/**
 * Makes one call, once, and reads its answer, refusals included.
 * @param read makes of its text what it says; throws for what is no answer
 * @throws SmsError `later` when the provider was not reached, or can do nothing now and does not say more; `unknown` when whether the call
 * arrived cannot be told
 */
export async function callProvider(
  { fetch }: Pick<ProviderAround, 'fetch'>,
  url: string,
  init: RequestInit,
  read?: (text: string) => unknown,
): Promise<ProviderAnswer> {
  try {
    return await callOnce(fetch, url, init, read)
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    const { status, fault, cause } = error
    const words = status === null ? '短信服务商没有应答' : `短信服务商答复无法识别（${status}）`
    throw new SmsError(words, fault, cause)
  }
}

/** A phone as the system keeps it: providers write the country before it, or not. */
export const bareNumber = (phone: unknown): string => String(phone ?? '').replace(/^(\+?86|0086)(?=1\d{10}$)/, '')

/** Words for a receipt that says a message did not arrive. */
export const undelivered = (code: unknown): string => `未送达：${String(code ?? '') || '无说明'}`

/** A list of objects, or nothing that could be read. @throws when it is none */
export function listOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value) || value.some(one => typeof one !== 'object' || one === null)) throw new Error('no list')
  return value
}

/** Those of a list that say how a message ended, by the words of the provider for that. @throws when it is none */
export const endedOf = (value: unknown, name: string, words: readonly string[]): Record<string, unknown>[] =>
  listOf(value).filter(one => words.includes(String(one[name])))
