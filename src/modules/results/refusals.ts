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
} as const satisfies RefusalTable<'results'>

type ResultsRefusals = typeof resultsRefusals

declare module '#engine' {
  interface Refusals extends ResultsRefusals {}
}
