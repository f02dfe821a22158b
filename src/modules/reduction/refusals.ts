import type { RefusalTable } from '#engine'

/** What post reduction refuses. */
export const reductionRefusals = {
  'reduction.notNeeded': [23001, 409, '岗位已达开考比例，无需核减', 'The position meets its ratio; nothing to reduce'],
  'reduction.notListed': [23002, 404, '不在核减名单', 'Not on the reduction list'],
  'reduction.choiceClosed': [23003, 400, '改报未开始或已截止', 'Choosing again has not begun or is over'],
  'reduction.alreadyChosen': [23004, 409, '已提交改报选择，不能更改', 'The new choice is made and cannot change'],
  'reduction.targetNotAllowed': [23005, 400, '不能改报该岗位：{原因}', 'This position cannot be chosen: {原因}'],
  'reduction.alreadySeated': [23006, 409, '已编排准考证，不能调整岗位', 'Seated already; the position cannot change'],
  'reduction.unfinished': [23007, 409, '核减名单尚有{n}人未处理', '{n} people on the reduction list are still open'],
  'reduction.confirmed': [23008, 409, '岗位核减已确认，不能更改', 'The reduction is confirmed and cannot change'],
  'reduction.candidatesUnfinished': [
    25010,
    409,
    '还有{n}人审核、核减或缴费未完成，不能编排',
    '{n} people are not through review, reduction or payment; seats cannot be drawn',
  ],
} as const satisfies RefusalTable<'reduction'>

type ReductionRefusals = typeof reductionRefusals

declare module '#engine' {
  interface Refusals extends ReductionRefusals {}
}
