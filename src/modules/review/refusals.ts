import type { RefusalTable } from '#engine'

/** What reviews refuse. */
export const reviewRefusals = {
  'review.remarkRequired': [22030, 400, '不通过或退回时必须填写审核意见', 'A remark is needed to refuse or return'],
  'review.taken': [
    22031,
    409,
    '该报名已由{审核人}于{时间}处理，请刷新',
    '{审核人} decided on this at {时间}; please refresh',
  ],
  'review.outOfScope': [22032, 403, '不在您的审核范围', 'Outside your review scope'],
  'review.closed': [22033, 400, '审核已截止', 'The review is over'],
  'review.sameReviewer': [22034, 409, '复审人不能是初审人', 'The second reviewer must not be the first'],
  'review.paidOrSeated': [
    22035,
    409,
    '已缴费或已编排准考证，请走取消资格流程',
    'Paid or seated already; use disqualification',
  ],
  'review.resultInvalid': [22036, 400, '审核结果取值不正确', 'That is no review result'],
  'review.signupChanged': [
    22037,
    409,
    '考生已修改报名信息，请刷新后重新审核',
    'The candidate has changed the sign-up; refresh and review again',
  ],
  'review.undoOver': [
    22038,
    409,
    '已超过10秒，撤销须填写原因，请打开该报名撤销审核',
    'Ten seconds are over: taking it back needs a reason; open the sign-up and revoke the review',
  ],
} as const satisfies RefusalTable<'review'>

type ReviewRefusals = typeof reviewRefusals

declare module '#engine' {
  interface Refusals extends ReviewRefusals {}
}
