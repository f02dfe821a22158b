import type { RefusalTable } from '#engine'

/** What results and appeals refuse. */
export const resultsRefusals = {
  'results.notReleased': [26001, 400, '成绩未公布', 'The results are not out yet'],
  'results.released': [
    26002,
    409,
    '成绩已发布，请先撤回再修改',
    'The results are released; recall them before changing',
  ],
  'results.incomplete': [
    26003,
    409,
    '尚有{n}人无成绩且未标缺考',
    '{n} people have neither a score nor a mark of absence',
  ],
  'results.appealClosed': [26004, 400, '复核申请已截止', 'The time for appeals is over'],
  'results.alreadyAppealed': [26005, 409, '已提交过复核申请', 'You have appealed already'],
  'results.sameEditor': [
    26006,
    409,
    '您修改过撤回后的成绩，须由另一人发布',
    'You changed results after they were recalled; another person must release them',
  ],
  'results.notShortlisted': [26007, 409, '您不在该项目的入围名单中', 'You are not on the shortlist of this stage'],
  'results.confirmNotAsked': [26008, 409, '该项目入围无需确认', 'Places on this shortlist need not be confirmed'],
  'results.confirmClosed': [
    26009,
    409,
    '入围确认已于{截止}截止',
    'Places on the shortlist could be confirmed until {截止}',
  ],
  'results.answered': [
    26010,
    409,
    '您已答复，不能更改；如需变更请联系招聘单位',
    'You have answered already; to change it, call the office',
  ],
  'results.noVacancy': [
    26011,
    409,
    '该岗位没有可以递补的空缺',
    'This position has no place that somebody could move up to',
  ],
  'results.nextChanged': [
    26012,
    409,
    '空缺或递补顺序已变化，请重新查看后再提出',
    'The free places or the order has changed; look at them again and repeat the request',
  ],
  'results.promotionPending': [
    26013,
    409,
    '该岗位已有递补待确认',
    'A promotion of this position waits to be confirmed already',
  ],
  'results.promotionLate': [
    26014,
    409,
    '「{环节}」已开始，不能再递补',
    '“{环节}” has begun; nobody can move up any more',
  ],
} as const satisfies RefusalTable<'results'>

type ResultsRefusals = typeof resultsRefusals

declare module '#engine' {
  interface Refusals extends ResultsRefusals {}
}
