import { PayChannelNo } from '#schemas/dictionaries'
import type { ChannelKey, ChannelKind } from './kind.ts'

const found = Object.values(import.meta.glob<ChannelKind>('./*/kind.ts', { import: 'default', eager: true }))

/**
 * Every payment channel of the program: one for each key of dictionary `pay_channel` but `offline`, from the folder whose
 * `kind.ts` names that key.
 * @throws when a key has no folder, or two
 */
export function channelKinds(names: object = PayChannelNo, kinds = found): readonly ChannelKind[] {
  const keys = Object.keys(names).filter((key): key is ChannelKey => key !== 'offline')
  for (const key of keys) {
    const { length } = kinds.filter(kind => kind.key === key)
    if (length !== 1)
      throw new Error(`pay_channel ${key} has ${length} folders in src/platform/channels/pay; it needs one.`)
  }
  return kinds
}
