import { EnableStatus } from '../../schemas/dictionaries.ts'

/** Words of the acts on an account of a channel. */
interface Words {
  /** Asked before it sends no more. */
  readonly disable: string
  /** Asked before it is the one that sends. */
  readonly enable: string
}

/** Puts an account of a channel, of which one is in use, into use and out of it, and lets it go on after a pause. */
export const accountTransitions = <const S extends string>(status: S, words: Words) => {
  const is = <const V extends number>(value: V) => ({ [status]: value }) as { readonly [K in S]: V }
  const goesOn = { pausedTime: null, pauseReason: null }
  return {
    disable: {
      label: '停用',
      call: 'POST disable?id',
      when: is(EnableStatus.enabled),
      set: is(EnableStatus.disabled),
      confirm: words.disable,
      code: 'enable',
    },
    enable: {
      label: '启用',
      call: 'POST enable?id',
      when: is(EnableStatus.disabled),
      set: { ...is(EnableStatus.enabled), ...goesOn },
      confirm: words.enable,
    },
    resume: {
      label: '恢复发送',
      call: 'POST resume?id',
      when: { ...is(EnableStatus.enabled), pausedTime: { not: null } },
      set: goesOn,
      confirm: '确认暂停原因已消除，恢复发送?',
      code: 'enable',
    },
  } as const
}
