import { SmsVendor } from '#schemas/dictionaries'
import type { ProviderKey, SmsProviderKind } from './provider.ts'

const found = Object.values(import.meta.glob<SmsProviderKind>('./*/kind.ts', { import: 'default', eager: true }))

/**
 * Every provider of text messages of the program, by its number: one for each key of dictionary `sms` but `simulated`, from the folder
 * whose `kind.ts` names that key.
 * @throws when a key has no folder, or two
 */
export function providerKinds(
  names: Readonly<Record<string, number>> = SmsVendor,
  kinds = found,
): ReadonlyMap<number, SmsProviderKind> {
  const keys = Object.keys(names).filter((key): key is ProviderKey => key !== 'simulated')
  const rows = keys.map(key => {
    const own = kinds.filter(kind => kind.key === key)
    if (own.length !== 1)
      throw new Error(`sms ${key} has ${own.length} folders in src/platform/channels/sms; it needs one.`)
    return [Number(names[key]), own[0]!] as const
  })
  return new Map(rows)
}
