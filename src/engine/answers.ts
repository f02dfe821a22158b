import { text } from './field.ts'
import { count, group, id, list, maybe } from './shape.ts'

/** Says how many rows or things a call has dealt with. */
export const numberedShape = group({ num: count('变更数') })

/** Says how many rows were changed of how many asked for. */
export const changedShape = group({ changed: count('已变更行数'), total: count('总行数') })

/** Says what was decided on several rows: for which, and for which not and why. */
export const decidedShape = group({
  ok: list(id('已处理')),
  skipped: list(group({ id: id('编号'), reason: text('原因') })),
})

/** How many people are told of a change, see `Announce`; nothing where nobody is. */
export const announcedShape = group({ people: maybe(count('人数')) })
